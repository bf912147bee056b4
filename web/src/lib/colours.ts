// The colours of classes: those of the program's pictures (src/plot/drawing/palette.cpp), a little lighter in the dark.
const hues = 8;

export function classColour(i: number): string {
  const hue = `var(--class-${i % hues})`;
  const round = Math.floor(i / hues) % 3;
  if (round === 0) return hue;
  return `color-mix(in srgb, ${hue} 55%, ${round === 1 ? 'black' : 'white'})`;
}

/** Red, green and blue (0 to 255) of a CSS colour as it is drawn now, light or dark; for canvases. */
export function rgb(colour: string): [number, number, number] {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.body.append(probe);
  const shown = getComputedStyle(probe).color;
  probe.remove();
  const numbers = (shown.match(/[\d.]+/g) ?? []).map(Number);
  const unit = shown.startsWith('color(') ? 255 : 1;
  const [red = 0, green = 0, blue = 0] = numbers;
  return [red * unit, green * unit, blue * unit];
}
