// Models that are hard to draw: 26 classes, 100 columns with long names, dates and prices, pairs of columns, and a logistic one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples, run } from './program';

/** The same numbers every time, from 0 to 1. */
function chances(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

export function hardModels(path: (name: string) => string): string[] {
  const chance = chances(7);
  const table = (name: string, head: string[], rows: (string | number)[][]): string => {
    const cell = (v: string | number): string => (typeof v === 'string' && v.includes(',') ? `"${v}"` : String(v));
    writeFileSync(path(`${name}.csv`), [head, ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n');
    return path(`${name}.csv`);
  };
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const boxes = Array.from({ length: 6 }, (_, i) => `place of the box, ${i + 1}`);
  const middles = letters.map(() => boxes.map(() => 15 * chance()));
  table('letters', [...boxes, 'letter'], Array.from({ length: 520 }, (_, i) => [...(middles[i % 26] ?? []).map((m) => Math.round(m + 4 * chance())), letters[i % 26] ?? '']));
  const long = Array.from({ length: 100 }, (_, i) => (i % 10 ? `x${i}` : `measurement_of_the_sensor_in_the_northern_hall_${i}.temperature_celsius`));
  const names = ['the first class, which has a rather long name', 'another'];
  table('wide', [...long, 'a_rather_long_name_of_the_target_column'], Array.from({ length: 80 }, (_, i) => [...long.map((_, j) => (chance() + (j % 3) * 0.2 * (i % 2)).toFixed(3)), names[i % 2] ?? '']));
  table('dates', ['when', 'price', 'shop', 'sold'], Array.from({ length: 60 }, (_, i) => [`2024-${String(1 + Math.floor(12 * chance())).padStart(2, '0')}-${String(10 + Math.floor(18 * chance()))}`, `${Math.floor(9 * chance())},${10 + Math.floor(80 * chance())} €`, i % 3 ? 'north' : 'south', chance() < 0.4 ? 'yes' : 'no']));
  table('zeros', ['gain', 'kind'], Array.from({ length: 200 }, (_, i) => [i % (i % 2 ? 5 : 3) ? 0 : (1 + 10 * chance()).toFixed(2), i % 2 ? 'poor' : 'rich']));
  const fit = (name: string, target: string, ...more: string[]): string => {
    const csv = ['pairs', 'logistic', 'novel'].includes(name) ? join(examples, name === 'novel' ? 'temperatures.csv' : 'tennis.csv') : path(`${name}.csv`);
    const out = path(name === 'logistic' ? 'logistic.json' : `${name}.credence`);
    run('fit', csv, '--target', target, '-q', '-o', out, ...more);
    return out;
  };
  return [
    fit('letters', 'letter'),
    fit('wide', 'a_rather_long_name_of_the_target_column'),
    fit('dates', 'sold'),
    fit('pairs', 'PlayTennis', '--as', 'Outlook, Temperature, Humidity, Wind: pairs(tan)'),
    fit('novel', 'play', '--novelty'),
    fit('zeros', 'kind'),
    fit('logistic', 'PlayTennis', '--discriminative'),
  ];
}
