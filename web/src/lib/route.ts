// Where the page is: a view and its parameters, in the address, so that every state can be sent to somebody.
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  view: string;
  params: URLSearchParams;
}

// A report is a file: it has no paths, so its places stand behind the #.
const inHash = import.meta.env.REPORT as boolean;
// What goes along from view to view.
const carried = ['model', 'rule', 'prior', 'row'];

/** The place an address names: a path with its parameters, in a report behind the #. */
function placeOf(address: string): Place {
  const url = new URL(address.replace(/^#/, ''), 'http://page/');
  return { view: url.pathname.replace(/^\/+|\/+$/g, '') || 'overview', params: url.searchParams };
}

let place: Place;
const listeners = new Set<() => void>();

function arrive(address: string): void {
  place = placeOf(address);
  for (const tell of listeners) tell();
}

const here = (): string => (inHash ? location.hash : location.pathname + location.search);
arrive(here());
addEventListener('popstate', () => {
  clearTimeout(writing);
  arrive(here());
});

/** The address of a view with what is carried along, changed by `changes`; an empty value takes one out. */
export function addressOf(view: string, changes: Record<string, string | undefined> = {}): string {
  const params = new URLSearchParams();
  for (const name of carried) {
    const value = place.params.get(name);
    if (value) params.set(name, value);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  const search = params.toString();
  return (inHash ? '#/' : '/') + view + (search ? `?${search}` : '');
}

export function go(view: string, changes: Record<string, string | undefined> = {}): void {
  step(addressOf(view, changes));
}

function step(address: string): void {
  clearTimeout(writing);
  write(address, 'pushState');
  arrive(address);
  scrollTo(0, 0);
}

function write(address: string, how: 'pushState' | 'replaceState'): void {
  try {
    history[how](null, '', address);
  } catch {
    // A report inside another page, such as a notebook, has no address of its own.
  }
}

let writing: ReturnType<typeof setTimeout> | undefined;

/** Changes parameters of this view in place: no new step in the browser's history. */
export function setParams(changes: Record<string, string | undefined>): void {
  const all: Record<string, string | undefined> = Object.fromEntries(place.params);
  const address = addressOf(place.view, { ...all, ...changes });
  arrive(address);
  // The address follows when the hand rests: browsers refuse to write it a hundred times in a drag.
  clearTimeout(writing);
  writing = setTimeout(() => write(address, 'replaceState'), 150);
}

export function usePlace(): Place {
  const [now, setNow] = useState(place);
  useEffect(() => {
    const tell = (): void => setNow(place);
    listeners.add(tell);
    tell();
    return () => void listeners.delete(tell);
  }, []);
  return now;
}

/** Follows links of the page itself without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest('a');
    const href = link?.getAttribute('href');
    if (!href || link?.target || link?.hasAttribute('download')) return;
    if (!href.startsWith(inHash ? '#/' : '/') || href.startsWith('/v1')) return;
    event.preventDefault();
    step(href);
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
}
