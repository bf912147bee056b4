// Asking while people drag: the newest question wins, and the last answer stays in sight until the next is there.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from './calls';
import { Failure, useEngine } from './engine';

export interface Answer<T> {
  data?: T;
  error?: Failure;
  busy: boolean;
}

let epoch = 0;
const listeners = new Set<() => void>();

/** Asks every question in sight again: a model has changed. */
export function askAgain(): void {
  ++epoch;
  for (const tell of listeners) tell();
}

function useEpoch(): number {
  const [now, setNow] = useState(epoch);
  useEffect(() => {
    const tell = (): void => setNow(epoch);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return now;
}

/** The answer to a call, asked again whenever the call changes; null asks nothing. */
export function useAnswer<T>(call: Call | null, keep = true): Answer<T> {
  const engine = useEngine();
  const now = useEpoch();
  const key = call && JSON.stringify(call);
  const [answer, setAnswer] = useState<Answer<T>>({ busy: call !== null });
  const first = useRef(true);
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (!call) {
      setAnswer({ busy: false });
      return;
    }
    const stop = new AbortController();
    // The same question asked again never empties the page.
    const stays = keep || last.current === key;
    last.current = key;
    setAnswer((old) => (stays && old.data !== undefined ? { data: old.data, busy: true } : { busy: true }));
    const ask = (): void => {
      engine.ask<T>(call, stop.signal).then(
        (data) => !stop.signal.aborted && setAnswer({ data, busy: false }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setAnswer({ error: error instanceof Failure ? error : new Failure(String(error), 0), busy: false });
        },
      );
    };
    // The first question goes out at once; later ones wait a moment for the hand to rest.
    const timer = setTimeout(ask, first.current ? 0 : 40);
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, engine, now]);
  return answer;
}
