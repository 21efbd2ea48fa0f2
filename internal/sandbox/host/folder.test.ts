import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'
import {
  folderChangedAt,
  isFolderOverfull,
  makeGuestFolder,
  removeGuestFolder,
  sweepGuestFolders,
} from './folder.ts'

/** An id that no process has: the kernel counts to 4,194,304 at most. */
const NO_PID = 4_194_305

const made: string[] = []
const folder = (): string => {
  const path = makeGuestFolder()
  made.push(path)
  return path
}
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

test('a folder is new, empty and gone when it is removed', async () => {
  const path = folder()
  expect(isFolderOverfull(path)).toBe(false)
  expect(isFolderOverfull(path, 0)).toBe(false)
  await removeGuestFolder(path)
  expect(existsSync(path)).toBe(false)
  await removeGuestFolder(path)
  expect(folderChangedAt(path)).toBe(0)
})

test('it is overfull by entries, in any depth', () => {
  const path = folder()
  const deep = join(path, 'a', 'b')
  mkdirSync(deep, { recursive: true })
  for (let file = 2; file < MAX_FOLDER_ENTRIES; file += 1)
    writeFileSync(join(deep, String(file)), '')
  expect(isFolderOverfull(path)).toBe(false)
  expect(isFolderOverfull(path, 0.5)).toBe(true)
  writeFileSync(join(deep, 'last'), '')
  expect(isFolderOverfull(path)).toBe(true)
})

test('it is overfull by the room that its files take', () => {
  const path = folder()
  writeFileSync(join(path, 'large'), Buffer.alloc((MAX_FOLDER_MB / 2 + 1) * MIB))
  expect(isFolderOverfull(path)).toBe(false)
  expect(isFolderOverfull(path, 0.5)).toBe(true)
})

/** Makes a file whose path is longer than the system allows: folders of shorter paths are moved into one another. */
const makeTooDeep = (path: string): void => {
  const name = 'n'.repeat(200)
  for (let trees = 0; trees < 3; trees += 1) {
    const tree = join(path, 'tree')
    const leaf = join(tree, ...Array.from({ length: 15 }, () => name))
    mkdirSync(leaf, { recursive: true })
    if (trees === 0) writeFileSync(join(leaf, 'file'), '')
    else renameSync(join(path, 'inner'), join(leaf, 'inner'))
    renameSync(tree, join(path, 'inner'))
  }
}

test('it is overfull and can be removed when paths in it are too long to read', async () => {
  const path = folder()
  makeTooDeep(path)
  expect(isFolderOverfull(path)).toBe(true)
  await removeGuestFolder(path)
  expect(existsSync(path)).toBe(false)
})

/** Runs code with `folder.ts` as a user without rights over the folders of others. */
const runAsNobody = (code: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import * as all from '${import.meta.dirname}/folder.ts'\n${code}`,
    ],
    { encoding: 'utf8', ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}) },
  )

test.each([0o000, 0o400])(
  'it is overfull and can be removed when its job has set the mode %o',
  (mode) => {
    const code = `
    import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
    const path = all.makeGuestFolder()
    mkdirSync(path + '/closed/inner', { recursive: true })
    for (const file of ['/closed/file', '/closed/inner/file']) writeFileSync(path + file, '')
    for (const folder of ['/closed/inner', '/closed']) chmodSync(path + folder, ${mode})
    const isOverfull = all.isFolderOverfull(path)
    await all.removeGuestFolder(path)
    console.log(isOverfull, existsSync(path))`
    expect(runAsNobody(code)).toBe('true false\n')
  },
)

test('it is removed when another removal of it is under way', async () => {
  for (let round = 0; round < 20; round += 1) {
    const path = folder()
    makeTooDeep(path)
    for (let file = 0; file < 20; file += 1) writeFileSync(join(path, String(file)), '')
    await Promise.all([removeGuestFolder(path), removeGuestFolder(path)])
    expect(existsSync(path)).toBe(false)
  }
})

test('links out of it are neither followed nor removed with what they lead to', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'))
  made.push(outside)
  for (let file = 0; file <= MAX_FOLDER_ENTRIES; file += 1)
    writeFileSync(join(outside, String(file)), '')
  const path = folder()
  symlinkSync(outside, join(path, 'link'))
  expect(isFolderOverfull(path)).toBe(false)
  await removeGuestFolder(path)
  expect(existsSync(join(outside, '0'))).toBe(true)
})

test('what hosts that are gone left behind is swept, and nothing else', () => {
  const mine = folder()
  const ofPid = (pid: number): string => {
    const path = mine.replace(`-${process.pid}-`, `-${pid}-`)
    mkdirSync(join(path, 'folder'), { recursive: true })
    made.push(path)
    return path
  }
  const [abandoned, living, elsewhere] = [
    ofPid(NO_PID),
    ofPid(process.ppid),
    // a folder of another container, whose process ids mean nothing here
    mkdtempSync(join(tmpdir(), `svc-guest-1-${NO_PID}-`)),
  ]
  made.push(elsewhere)
  sweepGuestFolders()
  expect([abandoned, living, elsewhere, mine].map(existsSync)).toEqual([false, true, true, true])
})

test('a folder that another user left behind is passed over', () => {
  const abandoned = folder().replace(`-${process.pid}-`, `-${NO_PID}-`)
  mkdirSync(abandoned)
  made.push(abandoned)
  const owner = lstatSync(abandoned).uid
  sweepGuestFolders(owner + 1)
  expect(existsSync(abandoned)).toBe(true)
  sweepGuestFolders(owner)
  expect(existsSync(abandoned)).toBe(false)
})

test('a sweep as a user without rights over it does not throw', () => {
  const abandoned = folder().replace(`-${process.pid}-`, `-${NO_PID}-`)
  mkdirSync(abandoned)
  made.push(abandoned)
  const remove = vi.fn(() => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  })
  expect(() => sweepGuestFolders(process.getuid?.(), remove)).not.toThrow()
  expect(remove).toHaveBeenCalledWith(abandoned)
})
