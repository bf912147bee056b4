// Who answers: the server, or the tables inside an interactive report.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Call } from './calls';

export interface Engine {
  /** Whether there is a server behind the page; without one, only the tables that came with it. */
  readonly live: boolean;
  ask<T>(call: Call, signal?: AbortSignal): Promise<T>;
}

/** An answer that is no answer: the server's sentence, and its status. */
export class Failure extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

export const EngineContext = createContext<Engine>({
  live: false,
  ask: () => Promise.reject(new Failure('nobody answers here', 503)),
});
export const useEngine = (): Engine => useContext(EngineContext);

/** The token comes once, behind the # of the address that `credence serve --token` prints, and stays in this tab. */
function token(): string | null {
  const given = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (given?.[1]) {
    sessionStorage.setItem('credence-token', decodeURIComponent(given[1]));
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return sessionStorage.getItem('credence-token');
}

export function serverEngine(): Engine {
  const secret = token();
  return {
    live: true,
    async ask<T>(call: Call, signal?: AbortSignal): Promise<T> {
      const headers: Record<string, string> = { Accept: 'application/json' };
      if (secret) headers.Authorization = `Bearer ${secret}`;
      const asking: RequestInit = { method: call.method, headers, signal: signal ?? null };
      if (call.table) {
        headers['Content-Type'] = 'text/csv';
        asking.body = call.table;
      } else if (call.body !== undefined) {
        headers['Content-Type'] = 'application/json';
        asking.body = JSON.stringify(call.body);
        if (call.key) headers['Idempotency-Key'] = call.key;
      }
      let response: Response;
      try {
        response = await fetch(call.path, asking);
      } catch (error) {
        if (signal?.aborted) throw error;
        throw new Failure('the server does not answer; is credence serve still running?', 0);
      }
      const text = await response.text();
      const answer = text ? withInfinities(parsed(text)) : undefined;
      if (!response.ok) throw new Failure(sentence(answer) ?? `status ${response.status}`, response.status);
      return answer as T;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const logs = new Set(['weight', 'log_density', 'log_density_against', 'log_odds', 'log_evidence', 'log', 'log_product', 'log_sum', 'prior']);

/** JSON has no infinity: logarithms that are infinite come as the words "inf" and "-inf". */
function withInfinities(value: unknown, inside = false): unknown {
  if (typeof value === 'string') return inside && /^-?inf$/.test(value) ? (value === 'inf' ? Infinity : -Infinity) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'number') continue;
    (value as Record<string, unknown>)[key] = withInfinities(child, inside || logs.has(key));
  }
  return value;
}

function sentence(answer: unknown): string | undefined {
  const error = (answer as { error?: { message?: string } } | undefined)?.error;
  return error?.message;
}
