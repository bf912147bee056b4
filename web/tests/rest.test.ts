import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, expect, expectBars, test } from './fixtures';
import { examples, probabilities, run, runJson, Served } from './program';

test('two models are compared on the rows of the server', async ({ page, servers }) => {
  const labels = (model: string): string[] => run('predict', servers.path(model), servers.path('three.csv'), '-q').trim().split('\n').slice(1);
  const [a, b] = [labels('three.credence'), labels('together.credence')];
  const agree = a.filter((label, i) => label === b[i]).length;
  await page.goto(at(servers.three, 'compare', { model: 'three' }));
  await expect(page.locator('.decision')).toContainText(`They agree on ${agree} of 150 rows`);
  await expect(page.getByRole('region', { name: 'rows they disagree on' }).locator('tbody tr')).toHaveCount(150 - agree);
});

test('a table that is dropped becomes a model like that of fit', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'try'));
  await page.getByLabel('Drop a table here').setInputFiles(join(examples, 'flu.csv'));
  await expect(page.getByRole('heading', { name: /flu: 8 rows/ })).toBeVisible();
  await page.getByLabel('What to tell').selectOption('flu');
  await page.getByRole('button', { name: 'Learn' }).click();
  await page.getByRole('button', { name: 'Look at it' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('flu');
  run('fit', join(examples, 'flu.csv'), '--target', 'flu', '-q', '-o', servers.path('flu.credence'));
  await page.goto(at(servers.small, 'ask', { model: 'flu', row: { chills: 'Y', headache: 'Mild' } }));
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('flu.credence'), 'chills=Y,headache=Mild'));
});

test('a table that is called like a model of the server gets a name of its own', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'try'));
  await page.getByLabel('Drop a table here').setInputFiles(join(examples, 'tennis.csv'));
  for (let time = 0; time < 2; ++time) {
    await page.getByRole('button', { name: 'Learn' }).click();
    await expect(page.getByText('Learnt from')).toBeVisible();
  }
  await page.getByRole('button', { name: 'Look at it' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('tennis_2');
  await expect(page.getByLabel('Model').locator('option', { hasText: 'tennis' })).toHaveText(['tennis', 'tennis_2']);
});

// So many times the rows of a table, as a file of its own.
function repeated(from: string, times: number, to: string): string {
  const [head = '', ...rows] = readFileSync(from, 'utf8').trimEnd().split('\n');
  const text = `${[head, ...Array.from({ length: times }, () => rows.join('\n'))].join('\n')}\n`;
  writeFileSync(to, text);
  return text;
}

test('a table that is learnt says how much of it was read', async ({ page, servers }) => {
  const text = repeated(join(examples, 'three_gaussians.csv'), 15_000, servers.path('large.csv'));
  await page.goto(at(servers.small, 'try'));
  await page.getByLabel('Drop a table here').setInputFiles(servers.path('large.csv'));
  await page.getByLabel('What to tell').selectOption('class');
  await page.getByRole('button', { name: 'Learn' }).click();
  await expect(page.getByText(`Learnt from ${(text.length / 1e6).toFixed(1)} MB`)).toBeVisible({ timeout: 60_000 });
});

test('a choice that takes its time says how far it is', async ({ page, servers }) => {
  repeated(join(examples, 'three_gaussians.csv'), 100, servers.path('some.csv'));
  // Every bar that is seen, from the first look on.
  await page.addInitScript(() => {
    const seen: number[] = ((window as unknown as { bars: number[] }).bars = []);
    setInterval(() => { const bar = document.querySelector('progress'); if (bar?.hasAttribute('value')) seen.push(bar.value); }, 5);
  });
  await page.goto(at(servers.small, 'try'));
  await page.getByLabel('Drop a table here').setInputFiles(servers.path('some.csv'));
  await page.getByLabel('What to tell').selectOption('class');
  await page.getByLabel(/^take time/).check();
  await page.getByRole('button', { name: 'Learn' }).click();
  await expect(page.getByText(/judging models by rows held out [\d,]+ of [\d,]+ steps/)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Look at it' })).toBeVisible({ timeout: 60_000 });
  expect((await page.evaluate(() => (window as unknown as { bars: number[] }).bars)).some((share) => share > 0 && share < 1)).toBe(true);
});

test('stories are told with numbers of the engine', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'learn'));
  const stories = page.locator('.stories a');
  await expect(stories).toHaveCount(6);
  for (const story of await stories.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))) {
    await page.goto(story);
    await expect(page.locator('.story li').first()).toBeVisible();
    // Every answer is drawn as what it is, none as bare JSON.
    await expect(page.locator('.story pre')).toHaveCount(0);
  }
  const p = runJson<{ probabilities: Record<string, number> }[]>('explain', join(examples, 'lab_test.json'), '--given', 'test=+')[0]?.probabilities.cancer ?? 0;
  await page.goto(at(servers.small, 'learn', { story: 'lab-test' }));
  await expect(page.locator('.story')).toContainText(p.toFixed(3));
  await page.getByRole('link', { name: 'open it in Ask' }).nth(1).click();
  await expectBars(page, 'posterior probabilities', probabilities(join(examples, 'lab_test.json'), 'test=+'));
});

test('the address keeps what was asked', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'ask', { model: 'tennis' }));
  await page.getByRole('region', { name: 'the row' }).getByLabel('Outlook').selectOption('Sunny');
  await expect(page).toHaveURL(/row=/);
  await page.reload();
  await expect(page.getByRole('region', { name: 'the row' }).getByLabel('Outlook')).toHaveValue('Sunny');
  await page.getByRole('link', { name: 'Column' }).click();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'the row' }).getByLabel('Outlook')).toHaveValue('Sunny');
});

test('the page can be used by keys alone', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'overview', { model: 'tennis' }));
  await expect(page.getByRole('slider', { name: 'prior of No' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByText('to the content')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('slider', { name: 'prior of No' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('slider', { name: 'prior of No' })).toHaveAttribute('aria-valuetext', '0.358');
});

test('light and dark can be switched, and stay', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'overview', { model: 'tennis' }));
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('button', { name: /^colours: system/ }).click();
  const light = await paper();
  await page.getByRole('button', { name: /^colours: light/ }).click();
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await paper()).toBe(dark);
});

test('a server that asks for a token is given the one of the address', async ({ page, servers }) => {
  const guarded = await Served.start(servers.path('three.credence'), '--token', 'open sesame');
  await page.goto(`${guarded.url}/overview#token=open%20sesame`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('three');
  await expect(page).not.toHaveURL(/sesame/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('three');
  await guarded.stop();
});
