import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { workspaceFileLines, writeWorkspaceFile } from './workspace-file.ts'

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'svc-workspace-file-')), 'acme.gz')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }))

const writeLines = (count: number): readonly string[] => {
  const lines = Array.from({ length: count }, () => randomBytes(60).toString('base64'))
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`))
  return lines
}

const collect = async (): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const line of workspaceFileLines(path)()) lines.push(line)
  return lines
}

test('lines are read to the end, and from the beginning again', async () => {
  const lines = writeLines(5_000)
  expect(await collect()).toEqual(lines)
  expect(await collect()).toEqual(lines)
})

test('a reader stops after the first line, at any time', async () => {
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  process.on('uncaughtException', note)
  try {
    for (const count of [1, 30, 300, 3_000]) {
      const [first] = writeLines(count)
      for (let ms = 0; ms < 10; ms += 1) {
        for await (const line of workspaceFileLines(path)()) {
          expect(line).toBe(first)
          await sleep(ms)
          break
        }
      }
    }
    await sleep(50)
  } finally {
    process.off('uncaughtException', note)
  }
  expect(uncaught).toEqual([])
})

test('a file that was cut is refused', async () => {
  writeLines(5_000)
  truncateSync(path, Math.floor(readFileSync(path).length / 2))
  await expect(collect()).rejects.toThrow('The file is not complete')
})

test('a file that disappears is an error of the reader', async () => {
  writeLines(1)
  const open = workspaceFileLines(path)
  rmSync(path)
  await expect(open()[Symbol.asyncIterator]().next()).rejects.toThrow('ENOENT')
})

test('only the owner may read a file, whatever lies next to it', async () => {
  writeFileSync(`${path}.part`, '')
  chmodSync(`${path}.part`, 0o666)
  async function* blocks() {
    yield 'a line\n'
  }
  await writeWorkspaceFile(path, blocks())
  expect(await collect()).toEqual(['a line'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(['acme.gz', 'acme.gz.part'])
})

test('the next export removes what a killed one left in the folder, and no file of another program', async () => {
  const folder = join(path, '..')
  const [left, underWay] = ['a', 'b'].map((digit) => `x.gz.svc-export-${digit.repeat(12)}.part`)
  for (const name of [left, underWay, 'x.part']) writeFileSync(join(folder, name ?? ''), '')
  for (const name of [left, 'x.part']) utimesSync(join(folder, name ?? ''), 1, 1)
  async function* blocks() {
    yield 'a line\n'
  }
  await writeWorkspaceFile(path, blocks())
  expect(readdirSync(folder).toSorted()).toEqual([
    'acme.gz',
    'x.gz.svc-export-bbbbbbbbbbbb.part',
    'x.part',
  ])
})
