import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { type ArchiveEntry, makeArchive, makeTar } from '../../test/support/bundle-archive.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { readArchive } from './archive.ts'

const FILE: ArchiveEntry = { header: { name: 'app.yaml' }, content: 'key: a' }

const reasonOf = async (archive: Uint8Array): Promise<string> => {
  try {
    return `accepted ${[...(await readArchive(archive)).keys()].join()}`
  } catch (error) {
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'bad_bundle' })
    return error instanceof Error ? error.message : ''
  }
}

describe('an archive', () => {
  it('unpacks plain files, with or without a leading ./', async () => {
    const files = await readArchive(
      await makeArchive([
        { header: { name: './', type: 'directory' } },
        { header: { name: './lib/', type: 'directory' } },
        { header: { name: './app.yaml' }, content: 'key: a' },
        { header: { name: 'lib/한글.ts' }, content: 'x' },
        { header: { name: `lib/${'long/'.repeat(30)}name.ts` }, content: 'far' },
      ]),
    )
    expect([...files.keys()]).toEqual([
      'app.yaml',
      'lib/한글.ts',
      `lib/${'long/'.repeat(30)}name.ts`,
    ])
  })

  it('is read without the repository that tar packs with the folder of an app', async () => {
    const files = await readArchive(
      await makeArchive([
        FILE,
        { header: { name: './.git/', type: 'directory' } },
        { header: { name: './.git/config' }, content: '[core]' },
        { header: { name: './.git/hooks/post-checkout' }, content: '#!/bin/sh' },
        { header: { name: './.git/link', type: 'symlink', linkname: '/tmp' } },
        { header: { name: './lib/module/.git' }, content: 'gitdir: ../../.git/modules/module' },
        { header: { name: './.gitignore' }, content: 'dist' },
        { header: { name: './lib/a.git/x.ts' }, content: 'x' },
      ]),
    )
    expect([...files.keys()]).toEqual(['app.yaml', '.gitignore', 'lib/a.git/x.ts'])
  })

  it.each(['.GIT/config', 'functions/a/git~1/config', 'lib/.git .'])(
    'is refused with %s, which some file systems take for .git',
    async (name) => {
      const archive = await makeArchive([FILE, { header: { name }, content: 'x' }])
      expect(await reasonOf(archive)).toContain('belongs to a git repository')
    },
  )

  it.each<[string, ArchiveEntry[]]>([
    ['upwards', [{ header: { name: '../evil.ts' }, content: 'x' }]],
    ['upwards inside', [{ header: { name: 'a/../../evil.ts' }, content: 'x' }]],
    ['a folder upwards', [{ header: { name: '../evil/', type: 'directory' } }]],
    ['absolute', [{ header: { name: '/etc/passwd' }, content: 'x' }]],
    ['upwards out of a repository', [{ header: { name: '.git/../../x' }, content: 'x' }]],
    ['of a drive', [{ header: { name: 'C:/windows/x' }, content: 'x' }]],
    ['with a backslash', [{ header: { name: 'a\\..\\b.ts' }, content: 'x' }]],
    ['with a line feed', [{ header: { name: 'a\nb.ts' }, content: 'x' }]],
    ['with an empty part', [{ header: { name: 'a//b.ts' }, content: 'x' }]],
    ['too long', [{ header: { name: 'a/'.repeat(130) }, content: 'x' }]],
  ])('is refused with a path %s', async (_, entries) => {
    expect(await reasonOf(await makeArchive([FILE, ...entries]))).toMatch(/^The (?:path|folder) "/)
  })

  it('is refused with such a path in a pax header', async () => {
    const header = { name: 'harmless.ts', pax: { path: '../../evil.ts' } }
    expect(await reasonOf(await makeArchive([{ header, content: 'x' }]))).toMatch(/evil/)
  })

  it.each<[string, ArchiveEntry['header']]>([
    ['symlink', { name: 'link', type: 'symlink', linkname: '/etc/passwd' }],
    ['link', { name: 'hard', type: 'link', linkname: 'app.yaml' }],
    ['character-device', { name: 'null', type: 'character-device', devmajor: 1, devminor: 3 }],
    ['block-device', { name: 'disk', type: 'block-device', devmajor: 8, devminor: 0 }],
    ['fifo', { name: 'pipe', type: 'fifo' }],
  ])('is refused with a %s', async (kind, header) => {
    expect(await reasonOf(await makeArchive([FILE, { header }]))).toContain(`is a ${kind}`)
  })

  it.each([
    ['twice', 'lib/a.ts', 'lib/a.ts'],
    ['in two cases', 'lib/a.ts', 'LIB/A.ts'],
    ['in two forms of one letter', 'caf\u00e9.ts', 'cafe\u0301.ts'],
    ['as sharp s and as ss', 'stra\u00dfe.ts', 'STRASSE.ts'],
    ['as a file and as a folder', 'lib', 'LIB/a.ts'],
    ['as a folder and as a file', 'lib/a.ts', 'Lib'],
  ])('is refused with names that conflict: %s', async (_, first, second) => {
    const entries = [first, second].map((name) => ({ header: { name }, content: 'x' }))
    expect(await reasonOf(await makeArchive(entries))).toMatch(/the same name/)
  })

  it('is refused at once with a folder of 60,000 slashes', async () => {
    const header = {
      name: 'a/',
      pax: { path: `${'/'.repeat(60_000)}x` },
      type: 'directory',
    } as const
    const archive = await makeArchive([FILE, { header }])
    const before = cpuMs()
    expect(await reasonOf(archive)).toMatch(/^The folder "/)
    expect(cpuMs() - before).toBeLessThan(2_000)
  })

  it('is refused with an extended header of megabytes, without a long turn', async () => {
    const records = Array.from({ length: 250_000 }, (_, at) => [at.toString(36), ''])
    const header = { name: 'a.ts', pax: Object.fromEntries(records) }
    const archive = await makeArchive([FILE, { header, content: 'x' }])
    expect(await leastLongestTurnMs(() => reasonOf(archive))).toBeLessThan(50)
    expect(await reasonOf(archive)).toMatch(/^The bundle is not a complete tar\.gz archive/)
  })

  it('may have 32 MiB of extended headers', async () => {
    const comment = 'x'.repeat(65_000)
    const archive = (count: number) =>
      makeArchive(
        Array.from({ length: count }, (_, at) => ({
          header: { name: `${at}`, pax: { comment } },
          content: '',
        })),
      )
    expect((await readArchive(await archive(500))).size).toBe(500)
    expect(await reasonOf(await archive(520))).toMatch(/not a complete tar\.gz archive/)
  })

  it('may contain 2000 files at most', async () => {
    const many = (count: number) =>
      makeArchive(
        Array.from({ length: count }, (_, n) => ({ header: { name: `${n}` }, content: '' })),
      )
    expect((await readArchive(await many(2_000))).size).toBe(2_000)
    expect(await reasonOf(await many(2_001))).toBe('An app has at most 2000 files.')
  })

  it('may have files of 20 MiB, however well they pack', async () => {
    const zeros = (size: number) =>
      makeArchive([{ header: { name: 'a' }, content: Buffer.alloc(size) }])
    expect((await readArchive(await zeros(20 * MIB))).get('a')?.length).toBe(20 * MIB)
    expect(await reasonOf(await zeros(20 * MIB + 1))).toMatch(/at most 20 MiB/)
  })

  it('may not go on for ever behind its files', async () => {
    const member = gzipSync(Buffer.alloc(MIB))
    const bomb = Buffer.concat([
      await makeArchive([FILE]),
      ...Array.from({ length: 285 }, () => member),
    ])
    expect(await reasonOf(bomb)).toBe('The bundle unpacks to more than 284 MiB.')
  })

  it.each([
    ['shorter than its header states', '00000010000', /not a complete tar.gz archive/],
    ['larger than an app by its header', '77777777777', /^An app has at most 20 MiB/],
    ['without a size in its header', '\x9000000000000', /not a complete tar.gz archive/],
  ])('is refused when it is %s', async (_, size, reason) => {
    const tar = await makeTar([FILE])
    tar.write(size, 124, 'latin1')
    let sum = 0
    tar.fill(' ', 148, 156)
    for (let at = 0; at < 512; at += 1) sum += tar[at] ?? 0
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    expect(await reasonOf(gzipSync(tar))).toMatch(reason)
  })

  it.each<[string, () => Promise<Uint8Array>]>([
    ['nothing', async () => new Uint8Array(0)],
    ['no gzip', async () => makeTar([FILE])],
    ['a zip', async () => Buffer.from('PK\u0003\u0004 and so on')],
    ['gzip of something else', async () => gzipSync('hello, world'.repeat(100))],
    ['half an archive', async () => (await makeArchive([FILE])).subarray(0, 60)],
    ['half a tar', async () => gzipSync((await makeTar([FILE])).subarray(0, 515))],
    ['an archive of nothing', async () => makeArchive([])],
  ])('is refused with a message: %s', async (_, make) => {
    expect(await reasonOf(await make())).toMatch(
      /^The bundle (?:is not a complete tar\.gz archive|contains no files)/,
    )
  })
})
