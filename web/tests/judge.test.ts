import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, expect, test } from './fixtures';
import { examples, runJson } from './program';

interface Judged {
  accuracy: number;
  log_loss: number;
  confusion: { labels: string[]; counts: number[][] };
}

for (const by of ['data', 'cv']) {
  test(`the confusion by ${by} has the counts of the command line`, async ({ page, servers }) => {
    const judged = by === 'cv'
      ? runJson<Judged>('cv', servers.path('three.csv'), '--target', 'kind')
      : runJson<Judged>('evaluate', servers.path('three.credence'), servers.path('three.csv'));
    await page.goto(at(servers.three, 'judge', { model: 'three', by }));
    const counts = page.locator('.confusion [data-count]');
    await expect(counts).toHaveCount(9, { timeout: 20_000 });
    expect(await counts.evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-count'))))).toEqual(judged.confusion.counts.flat());
    await expect(page.locator('.facts')).toContainText(`${(100 * judged.accuracy).toFixed(1)} %`);
  });
}

test('the rule and the prior of the address are those that are judged', async ({ page, servers }) => {
  const judged = runJson<Judged>('evaluate', servers.path('before.credence'), join(examples, 'tennis.csv'), '--estimate', 'mle', '--prior', 'uniform');
  await page.goto(at(servers.small, 'judge', { model: 'tennis', rule: 'mle', prior: 'uniform' }));
  const counts = page.locator('.confusion [data-count]');
  await expect(counts).toHaveCount(4);
  expect(await counts.evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-count'))))).toEqual(judged.confusion.counts.flat());
  await expect(page.locator('.facts')).toContainText(`${(100 * judged.accuracy).toFixed(1)} %`);
  await expect(page.locator('.facts')).toContainText(judged.log_loss.toPrecision(3).slice(0, 5));
});

test('all rows of a table can be reached, and a cell is part of the address', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'judge', { model: 'three' }));
  const cell = page.locator('.confusion [data-count]').first();
  const count = Number(await cell.getAttribute('data-count'));
  await cell.click();
  await expect(page).toHaveURL(/taken=/);
  await page.reload();
  await expect(page.getByRole('region', { name: 'rows of the cell' }).locator('tbody tr')).toHaveCount(Math.min(count, 50));
  await page.goto(at(servers.three, 'teach', { model: 'three' }));
  const rows = page.getByRole('region', { name: 'rows', exact: true }).locator('tbody tr');
  await expect(rows.first()).toContainText('1');
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(rows.first().locator('th')).toHaveText('51');
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page.getByRole('button', { name: 'Later' })).toBeDisabled();
});

test('a cell of the confusion shows its rows', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'judge', { model: 'three' }));
  const cell = page.locator('.confusion .mistake:not([disabled])').first();
  const count = Number(await cell.getAttribute('data-count'));
  await cell.click();
  await expect(page.getByRole('region', { name: 'rows of the cell' }).locator('tbody tr')).toHaveCount(count);
});

test('documents behind a cell are shown as they were written, and marked', async ({ page, servers }) => {
  const { confusion } = runJson<Judged>('cv', servers.path('texts.csv'), '--target', 'kind', '--as', 'text: text');
  await page.goto(at(servers.texts, 'judge', { model: 'texts', by: 'cv' }));
  const cell = page.locator('.confusion .mistake:not([disabled])').first();
  const [truth, label] = [confusion.labels[0] ?? '', confusion.labels[1] ?? ''];
  expect(Number(await cell.getAttribute('data-count'))).toBe(confusion.counts[0]?.[1]);
  await cell.click();
  const documents = page.getByRole('region', { name: 'rows of the cell' }).getByRole('article');
  await expect(documents).toHaveCount(confusion.counts[0]?.[1] ?? -1);
  await expect(documents.first()).toContainText(`taken for ${label}`);
  await expect(page.getByRole('region', { name: 'rows of the cell' })).toContainText(`speaks for ${truth}`);
  // The words are those of the file, spaces and all, and some are shaded.
  const lines = readFileSync(servers.path('texts.csv'), 'utf8').split('\n');
  expect(lines).toContain(`${truth},${await documents.first().locator('.marked').innerText()}`);
  expect(await documents.first().locator('mark').count()).toBeGreaterThan(0);
});

test('a threshold counts hits and false alarms, and costs find the cheapest', async ({ page, servers }) => {
  const { confusion } = runJson<Judged>('evaluate', servers.path('tennis.credence'), join(examples, 'tennis.csv'));
  await page.goto(at(servers.small, 'judge', { model: 'tennis' }));
  const [no = [], yes = []] = confusion.counts;
  await expect(page.locator('.counts')).toContainText(`${yes[1]} hits, ${yes[0]} misses, ${no[1]} false alarms, ${no[0]} rightly passed`);
  await page.getByRole('slider', { name: /from P =/ }).fill('1');
  await expect(page.locator('.counts')).toContainText('0 hits, 9 misses');
  await page.getByRole('button', { name: /^cheapest/ }).click();
  await expect(page.locator('.counts')).not.toContainText('0 hits');
});
