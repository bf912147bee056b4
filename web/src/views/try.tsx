// Try your own: a table, a target, a model.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { askAgain, useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { Failure, useEngine } from '../lib/engine';
import { bytes, grouped } from '../lib/format';
import { go } from '../lib/route';
import type { Home, Job, Profile } from '../lib/types';
import { Select, Switch } from '../parts/controls';
import { Table } from '../parts/figure';
import { Heading } from '../parts/note';
import { CommandLine, Twin } from '../parts/twin';

interface Given {
  name: string;
  file: File;
  profile: Profile;
}

export function Try(): JSX.Element {
  const engine = useEngine();
  const [given, setGiven] = useState<Given>();
  const [target, setTarget] = useState('');
  const [best, setBest] = useState(false);
  const [job, setJob] = useState<{ id: string; state: Job }>();
  const [failed, setFailed] = useState<string>();
  const home = useAnswer<Home>(calls.home());
  // Models that were made here may be made again under their names; those of others stay.
  const mine = useRef(new Set<string>());
  const nameFor = (base: string): string => {
    const taken = new Set((home.data?.models ?? []).map((m) => m.name).filter((n) => !mine.current.has(n)));
    let name = base;
    for (let i = 2; taken.has(name); ++i) name = `${base}_${i}`;
    return name;
  };
  const fail = (error: unknown): void => setFailed(error instanceof Failure ? error.message : String(error));

  const take = async (file: File): Promise<void> => {
    setFailed(undefined);
    setJob(undefined);
    try {
      const profile = await engine.ask<Profile>(calls.profile(file));
      setGiven({ name: file.name.replace(/\.[^.]*$/, '').replace(/[^\w-]+/g, '_') || 'table', file, profile });
      setTarget(likelyTarget(profile));
    } catch (error) {
      fail(error);
    }
  };
  const fit = async (): Promise<void> => {
    if (!given) return;
    setFailed(undefined);
    try {
      const name = nameFor(given.name);
      const answer = await engine.ask<{ job: string | number }>(calls.fit(given.file, target, best, name));
      mine.current.add(name);
      setJob({ id: String(answer.job), state: { state: 'running', progress: null } });
    } catch (error) {
      fail(error);
    }
  };
  useEffect(() => {
    if (job?.state.state !== 'running') return;
    const timer = setTimeout(() => {
      engine.ask<Job>(calls.job(job.id)).then((state) => {
        setJob({ id: job.id, state });
        if (state.state === 'done') askAgain();
      }, fail);
    }, 150);
    return () => clearTimeout(timer);
  }, [job]);
  const running = job?.state.state === 'running';
  return (
    <>
      <Heading title="Try your own table">A CSV file with a header. It goes to this server and nowhere else.</Heading>
      <Drop take={(file) => void take(file)} />
      {failed && <p class="refused" role="alert">{failed}</p>}
      {given && (
        <>
          <h2>{given.name}: {grouped(given.profile.rows)} rows, {given.profile.columns.length} columns <span class="soft">{bytes(given.file.size)}</span></h2>
          <div class="controls">
            <Select label="What to tell" value={target} options={given.profile.columns.map((c) => c.name)} change={setTarget} />
            <Switch label="take time: choose the best model by rows held out" on={best} change={setBest} />
            <button type="button" class="main" disabled={running} onClick={() => void fit()}>Learn</button>
          </div>
          {job && <Progress job={job.state} open={(model) => go('overview', { model, row: undefined, rule: undefined, prior: undefined })} cancel={() => void engine.ask(calls.cancel(job.id)).catch(fail)} />}
          <Table
            head={['column', 'holds', 'different', 'missing', 'family']}
            rows={given.profile.columns.map((c) => [c.name, c.holds, grouped(c.distinct), grouped(c.missing), c.fit])}
          />
        </>
      )}
      <Twin asked={given ? [calls.profile(given.file), calls.fit(given.file, target, best, nameFor(given.name))] : []} />
    </>
  );
}

/** The last column with few values, as tables usually have it. */
function likelyTarget(profile: Profile): string {
  const few = profile.columns.filter((c) => c.distinct > 1 && c.distinct <= 30);
  const named = few.find((c) => /^(class|label|target|species|y)$/i.test(c.name));
  return (named ?? few.at(-1) ?? profile.columns.at(-1))?.name ?? '';
}

function Drop({ take }: { take: (file: File) => void }): JSX.Element {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) take(file);
      }}
    >
      <label>
        <span>Drop a table here, or choose a file</span>
        <input ref={input} type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => { const file = event.currentTarget.files?.[0]; if (file) take(file); }} />
      </label>
    </div>
  );
}

const doing: Record<string, string> = { reading: 'reading the rows', learning: 'learning from the rows', tuning: 'judging models by rows held out', choosing: 'choosing families' };

/** "12.3 of 94.0 MB", "40 of 120 steps": as the process that fits says it. */
function amount({ done, total, unit }: NonNullable<Job['progress']>): string {
  const size = (n: number): string => (unit === 'bytes' ? bytes(n) : grouped(n));
  return `${size(done)}${total ? ` of ${size(total)}` : ''}${unit === 'bytes' ? '' : ` ${unit}`}`;
}

function Progress({ job, open, cancel }: { job: Job; open: (model: string) => void; cancel: () => void }): JSX.Element {
  const { progress } = job;
  // Without a number the bar says that something goes on, no more.
  const known = progress && progress.total > 0 ? { value: progress.done / progress.total, max: 1 } : {};
  return (
    <div class="panel" role="status">
      {job.state === 'running' && (
        <p class="job">
          <progress {...known} aria-label="learning" />
          <span>{progress ? (doing[progress.what] ?? progress.what) : 'starting'} {progress && <span class="soft">{amount(progress)}</span>}</span>
          <button type="button" class="quiet" onClick={cancel}>stop</button>
        </p>
      )}
      {job.state === 'failed' && <p class="refused">{job.message}</p>}
      {job.state === 'done' && (
        <>
          <p>Learnt{progress?.unit === 'bytes' && ` from ${bytes(progress.done)}`}. <button type="button" class="main" onClick={() => open(job.model ?? '')}>Look at it</button></p>
          {job.command && <CommandLine text={job.command} />}
        </>
      )}
    </div>
  );
}
