// The program under test: its command line, whose numbers are the expected ones, and its server.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.CREDENCE ?? join(root, 'build/credence');
export const examples = join(root, 'examples');

/** What a command prints. */
export const run = (...args: string[]): string => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
export const runJson = <T>(...args: string[]): T => JSON.parse(run(...args, '--json', '-q')) as T;

/** The probabilities of a row on the command line: predict --proba --given. */
export function probabilities(model: string, given: string, ...more: string[]): Record<string, number> {
  const [head = '', row = ''] = run('predict', model, '--proba', '-q', '--given', given, ...more).trim().split('\n');
  const values = row.split(',');
  return Object.fromEntries(head.split(',').flatMap((name, i) => (name === 'prediction' ? [] : [[name, Number(values[i])]])));
}

export class Served {
  private constructor(readonly url: string, private readonly child: ChildProcess) {}

  static async start(...args: string[]): Promise<Served> {
    const child = spawn(program, ['serve', ...args, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise<string>((found, failed) => {
      let said = '';
      const listen = (text: Buffer): void => {
        said += String(text);
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
        if (address) found(address);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.on('exit', (code) => failed(new Error(`credence serve ended with ${code}: ${said}`)));
    });
    return new Served(url, child);
  }

  stop(): Promise<void> {
    this.child.removeAllListeners('exit');
    const ended = new Promise<void>((done) => this.child.on('exit', () => done()));
    this.child.kill('SIGTERM');
    return ended;
  }
}

/** A folder with models and tables of its own, gone with the tests. */
export function models(): { folder: string; path: (name: string) => string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'credence-web-'));
  const path = (name: string): string => join(folder, name);
  run('fit', join(examples, 'tennis.csv'), '--target', 'PlayTennis', '-q', '-o', path('tennis.credence'));
  // The server writes its own file when it learns; this is what it was.
  copyFileSync(path('tennis.credence'), path('before.credence'));
  run('fit', join(examples, 'mails'), '-q', '-o', path('mails.credence'));
  writeFileSync(path('three.json'), JSON.stringify(threeGaussians));
  writeFileSync(path('three.csv'), run('sample', path('three.json'), '--rows', '150', '--seed', '7'));
  run('fit', path('three.csv'), '--target', 'kind', '-q', '-o', path('three.credence'));
  run('fit', path('three.csv'), '--target', 'kind', '--model', 'lda', '-q', '-o', path('together.credence'));
  writeFileSync(path('texts.csv'), `kind,text\n${notes.join('\n')}\n`);
  run('fit', path('texts.csv'), '--target', 'kind', '--as', 'text: text', '-q', '-o', path('texts.credence'));
  return { folder, path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// Some of them are easily taken for the other kind.
const notes = [
  'home,milk bread and  butter', 'home,call the plumber', 'home,pay the rent', 'home,meeting with the neighbours',
  'home,bread for the party', 'home,report the broken lamp', 'work,meeting with the client', 'work,send the report',
  'work,call the client', 'work,report for the meeting', 'work,slides and  report', 'work,pay the invoice of the plumber',
];

const normal = (mean: number, sd: number): { mean: number; sd: number } => ({ mean, sd });
const threeGaussians = {
  target: 'kind',
  prior: { left: 0.3, middle: 0.4, right: 0.3 },
  columns: {
    width: { family: 'gaussian', given: { left: normal(1.5, 0.5), middle: normal(4.2, 0.7), right: normal(5.5, 0.8) } },
    height: { family: 'gaussian', given: { left: normal(3.4, 0.4), middle: normal(2.8, 0.4), right: normal(3, 0.4) } },
    depth: { family: 'gaussian', given: { left: normal(0.3, 0.2), middle: normal(1.3, 0.3), right: normal(2, 0.35) } },
  },
};
