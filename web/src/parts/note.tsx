// What to say when there is no answer (yet).
import type { ComponentChildren, JSX } from 'preact';
import type { Answer } from '../lib/answer';

/** Nothing while all is well; a word while waiting for the first answer; the server's sentence when it refuses. */
export function Waiting<T>({ on }: { on: Answer<T> }): JSX.Element | null {
  if (on.error) return <p class="refused" role="alert">{on.error.message}</p>;
  if (on.busy && on.data === undefined) return <p class="waiting" role="status">…</p>;
  return null;
}

export function Note({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="note">{children}</p>;
}

/** A column's name, which may be broken behind _ and . where it is long. */
export function Name({ text }: { text: string }): JSX.Element {
  return <>{text.split(/(?<=[_.])/).flatMap((part, i) => (i ? [<wbr key={i} />, part] : [part]))}</>;
}

/** A view's heading, and one sentence that says what it is for. */
export function Heading({ title, children }: { title: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return (
    <header class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p class="lede">{children}</p>}
    </header>
  );
}
