// The interactive report: one file, no server; its numbers are computed in the page from tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, expectBars, test, type Servers } from './fixtures';
import { probabilities, run, runJson } from './program';

/** Writes a report of a model and gives its address. */
function report(servers: Servers, model: string, ...more: string[]): string {
  const file = servers.path(model.replace('.credence', '.html'));
  run('report', servers.path(model), ...more, '--interactive', '-q', '-o', file);
  return pathToFileURL(file).href;
}

const asking = (address: string, row: object): string => `${address}#/ask?row=${encodeURIComponent(JSON.stringify(row))}`;
const given = (row: object): string => Object.entries(row).map(([name, value]) => `${name}=${value}`).join(',');

test('a report of words computes posterior and log-odds in the page', async ({ page, servers }) => {
  const model = servers.path('before.credence');
  await page.goto(report(servers, 'before.credence', '--title', 'Tennis <today>'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Tennis <today>');
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  const form = page.getByRole('region', { name: 'the row' });
  await form.getByLabel('Outlook').selectOption('Sunny');
  await form.getByLabel('Wind').selectOption('Strong');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'Outlook=Sunny,Wind=Strong'));
  const odds = runJson<{ log_odds: number }[]>('explain', model, '--given', 'Outlook=Sunny,Wind=Strong')[0]?.log_odds ?? NaN;
  expect(Number(await page.locator('.nomogram [data-sum]').getAttribute('data-sum'))).toBeCloseTo(odds, 9);
  await expect(page.locator('.flips li').first()).toContainText('Overcast');
});

test('a report of numbers has the probabilities of the program, also far from all rows', async ({ page, servers }) => {
  const address = report(servers, 'three.credence', servers.path('three.csv'));
  for (const row of [{ width: 4.937, depth: 1.613 }, { width: 40, height: -3 }, { depth: 0 }]) {
    await page.goto('about:blank');
    await page.goto(asking(address, row));
    await expectBars(page, 'posterior probabilities', probabilities(servers.path('three.credence'), given(row)));
  }
  await page.getByRole('link', { name: 'Column', exact: true }).click();
  await expect(page.locator('.chart path.stroke')).toHaveCount(3);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id)).toEqual([]);
});

// Columns that are trusted more and less, with zeros that stand apart, with steps, with words and with counts.
const table = ['age,income,visits,town,kind'];
for (let i = 0; i < 240; ++i) {
  const wave = (k: number): number => Math.sin(12.9898 * (i + 1) * k) * 3;
  const kind = i % 3;
  table.push([(30 + 9 * kind + 2 * wave(1)).toFixed(1), i % 4 ? (5 + kind + wave(2)).toFixed(2) : 0, Math.max(0, Math.round(2 * kind + wave(3))), 'NESW'[(i + kind * (i % 2)) % 4], 'abc'[kind]].join(','));
}
for (const [calibration, kinds] of [['none', 3], ['temperature', 3], ['platt', 3], ['isotonic', 3], ['isotonic', 2]] as const) {
  test(`a report has the probabilities of the program where columns are trusted, zeros apart, and the calibration of ${kinds} classes is ${calibration}`, async ({ page, servers }) => {
    const [rows, model] = [servers.path('mixed.csv'), 'mixed.credence'];
    writeFileSync(rows, table.filter((line) => kinds === 3 || !line.endsWith('c')).join('\n'));
    run('fit', rows, '--target', 'kind', '--as', 'age: histogram(8)', '--as', 'visits: poisson', '--trust', 'income=0.6, town=-0.5', '--calibrate', 'none', '-q', '-o', servers.path(model));
    if (calibration !== 'none') run('calibrate', servers.path(model), rows, '--method', calibration, '-q', '-o', servers.path(model));
    const address = report(servers, model);
    for (const row of [{ age: 41.3, income: 0, town: 'N' }, { income: 7.35, visits: 4 }, { age: 28, income: -2, visits: 0, town: 'W' }]) {
      await page.goto('about:blank');
      await page.goto(asking(address, row));
      await expectBars(page, 'posterior probabilities', probabilities(servers.path(model), given(row)));
    }
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expect(page.getByRole('row', { name: /^income/ })).toContainText('0.6');
  });
}

test('a report shows itself inside another page, as in a notebook', async ({ page, servers }) => {
  report(servers, 'before.credence');
  const text = readFileSync(servers.path('before.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  await page.setContent(`<iframe title="report" srcdoc="${text}" sandbox="allow-scripts" width="1000" height="700"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('link', { name: 'Ask', exact: true }).click();
  await frame.getByRole('region', { name: 'the row' }).getByLabel('Outlook').selectOption('Overcast');
  await expect(frame.locator('.decision strong')).toHaveText('Yes');
});
