// The JSON twin of a view: the questions it asked, to be asked again by a program.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { curlLine, type Call } from '../lib/calls';
import { useEngine } from '../lib/engine';

export function Twin({ asked }: { asked: (Call | null | undefined)[] }): JSX.Element | null {
  const engine = useEngine();
  const list = asked.filter((call): call is Call => Boolean(call));
  if (!engine.live || list.length === 0) return null;
  return (
    <details class="twin">
      <summary>This view as JSON</summary>
      <ul>{list.map((call) => <Line key={JSON.stringify(call)} call={call} />)}</ul>
    </details>
  );
}

function Line({ call }: { call: Call }): JSX.Element {
  const engine = useEngine();
  const [answer, setAnswer] = useState<string>();
  const line = curlLine(call, location.origin);
  const show = (): void => {
    if (answer !== undefined) return setAnswer(undefined);
    engine.ask<unknown>(call).then(
      (data) => setAnswer(JSON.stringify(data, null, 2).slice(0, 20000)),
      (error: unknown) => setAnswer(String(error)),
    );
  };
  return (
    <li>
      <CommandLine text={line} />
      {call.method === 'GET' ? (
        <a href={call.path} target="_blank" rel="noreferrer">{call.path}</a>
      ) : (
        <button type="button" class="quiet" aria-expanded={answer !== undefined} onClick={show}>
          {answer === undefined ? 'show the answer' : 'hide the answer'}
        </button>
      )}
      {answer !== undefined && <pre tabIndex={0}>{answer}</pre>}
    </li>
  );
}

/** A line to be pasted into a shell, with a button that copies it. */
export function CommandLine({ text }: { text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <div class="command">
      <code tabIndex={0}>{text}</code>
      <button type="button" onClick={copy} aria-label={`copy: ${text.slice(0, 60)}`}>{copied ? 'copied' : 'copy'}</button>
    </div>
  );
}
