import { describe, expect, it } from 'vitest'
import { findLaunchers, type ProcessFacts } from './launchers.ts'

const tree =
  (processes: Readonly<Record<number, ProcessFacts>>) =>
  (pid: number): ProcessFacts | null =>
    processes[pid] ?? null

describe('the launchers of a node', () => {
  it.each([
    ['deno task svc start', 1],
    ['/opt/deno/deno task svc start', 1],
    ['/usr/bin/node /app/node_modules/.bin/deno task svc start', 1],
    [
      '/x/deno run --ext=js -A /x/node_modules/deno/bin.cjs run --allow-all cmd/svc/main.ts start',
      1,
    ],
    ['node /x/node_modules/deno/bin.cjs task svc start', 1],
    ['-bash', 0],
    ['/bin/sh -c deno task svc start', 0],
    ['/usr/lib/systemd/systemd --user', 0],
    ['node /home/deno/server.js', 0],
    ['vim deno.json', 0],
  ])('hold %s: %i', (command, count) => {
    expect(findLaunchers(7, tree({ 7: { parent: 1, command } }))).toHaveLength(count)
  })

  it('are a row that ends at the first other program', () => {
    const processes = {
      9: { parent: 8, command: 'deno run -A /x/deno/bin.cjs run main.ts' },
      8: { parent: 7, command: '/x/deno task svc start' },
      7: { parent: 6, command: '-bash' },
      6: { parent: 1, command: 'deno task terminal' },
    }
    expect(findLaunchers(9, tree(processes))).toEqual([9, 8])
  })

  it('are bounded, and none for a process that cannot be looked at', () => {
    expect(findLaunchers(9, () => ({ parent: 9, command: 'deno task' }))).toHaveLength(8)
    expect(findLaunchers(9, () => null)).toEqual([])
    expect(findLaunchers(1, () => ({ parent: 0, command: 'deno' }))).toEqual([])
  })
})
