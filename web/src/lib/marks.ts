// Which part of a text says what: tokens come with places in bytes, may overlap (two words as one), and are shared out.

export interface Piece {
  text: string;
  weight: number;
}

export interface Token {
  start: number;
  end: number;
  weight: number | null;
}

/** The text in pieces; a token that covers several pieces of words gives each its share. */
export function marks(text: string, tokens: Token[]): Piece[] {
  const at = unitsOfBytes(text);
  const edges = new Set([0, text.length]);
  const spans = tokens.map((t) => ({ start: at(t.start), end: at(t.end), weight: t.weight ?? 0 }));
  for (const span of spans) edges.add(span.start).add(span.end);
  const sorted = [...edges].sort((a, b) => a - b);
  const pieces = sorted.slice(1).map((end, i) => ({ start: sorted[i] ?? 0, end, text: text.slice(sorted[i], end), weight: 0 }));
  const index = new Map(pieces.map((p, i) => [p.start, i]));
  for (const span of spans) {
    const from = index.get(span.start) ?? 0;
    let to = from;
    while (to < pieces.length && (pieces[to]?.end ?? 0) <= span.end) ++to;
    const covered = pieces.slice(from, to).filter((p) => /[\p{L}\p{N}]/u.test(p.text));
    for (const piece of covered) piece.weight += span.weight / covered.length;
  }
  return pieces.map(({ text: t, weight }) => ({ text: t, weight }));
}

/** A place in bytes of UTF-8 as a place in a JavaScript string. */
function unitsOfBytes(text: string): (byte: number) => number {
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  const places: number[] = [];
  let unit = 0;
  for (const character of text) {
    const size = new TextEncoder().encode(character).length;
    for (let k = 0; k < size; ++k) places.push(unit);
    unit += character.length;
  }
  return (byte) => places[byte] ?? text.length;
}
