import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import { isBranchName, parseAddress } from './address.ts'
import { explainFailure } from './failure.ts'
import { isClosed } from './network-guard.ts'
import { redirectTarget } from './redirect.ts'
import { parseBatch, parseTree } from './tree.ts'

const SCHEMES = ['https', 'http', 'ssh', 'git', 'file']

describe('an address', () => {
  it.each([
    ['https://example.com/team/app.git', 'https', 'example.com', null],
    ['https://example.com:8443/app', 'https', 'example.com', 8443],
    ['http://[2001:db8::1]:80/app', 'http', '2001:db8::1', null],
    ['ssh://git@example.com:2222/app.git', 'ssh', 'example.com', 2222],
    ['git@example.com:team/app.git', 'ssh', 'example.com', null],
    ['git://example.com/app.git', 'git', 'example.com', null],
    ['/srv/git/app', 'file', null, null],
    ['file:///srv/git/my%20app', 'file', null, null],
    ['/srv/git/my app', 'file', null, null],
  ])('parses %s', (url, scheme, host, port) => {
    expect(parseAddress(url)).toMatchObject({ scheme, host, port })
  })

  it('is passed to git in parsed form: other notations of one IP address become the same', () => {
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1']) {
      expect(parseAddress(`http://${host}/x`)).toMatchObject({
        host: '127.0.0.1',
        text: 'http://127.0.0.1/x',
      })
    }
  })

  it.each([
    'x-access-token:s3cret@example.com/app.git',
    'htps://user:s3cret@example.com/app.git',
    'https://user:s3cret@example.com/app.git',
    'https://user:s3cret@/app.git',
    'https://user:s3cret@example.com/my app.git',
    'file://user:s3cret@example.com/app.git',
  ])('that is refused does not appear in the message: %s', (url) => {
    expect(() => parseAddress(url)).toThrow(AppError)
    expect(() => parseAddress(url)).not.toThrow(/s3cret/)
  })

  it.each([
    'ssh://git@a$(id).example.com/app.git',
    'ssh://git@`id`.example.com/app.git',
    'ssh://git@a;id;b.localhost/app.git',
    "ssh://git@a'b.example.com/app.git",
    'ssh://git@a%25b.example.com/app.git',
    'git://a&id.localhost/app.git',
  ])('%s is refused, because a shell reads the host', (url) => {
    expect(() => parseAddress(url)).toThrow(/host/)
  })

  it('never becomes an option, another protocol or a carrier of secrets (property)', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc
        .tuple(
          fc.constantFrom(
            'ext::',
            'fd::',
            'http::',
            '--upload-pack=',
            '-u',
            'file://',
            'ssh://',
            'git@',
            'https://a:b@',
            'HTTPS://',
            ' ',
          ),
          fc.string(),
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(hostile, (url) => {
        try {
          const { scheme, text, host } = parseAddress(url)
          expect(SCHEMES).toContain(scheme)
          expect(text).not.toMatch(/^-|[\p{Cc}\\]/u)
          expect(host === null).toBe(scheme === 'file')
          if (host !== null) {
            expect(host).toMatch(/^[\w.:][\w.:-]*$/)
            expect(text).not.toMatch(/:\/\/[^/]*:[^/]*@|\?|#/)
          } else expect(text).toMatch(/^\//)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          expect(error).toMatchObject({ kind: 'invalid', code: 'url_not_allowed' })
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('a branch name', () => {
  it.each(['main', 'feature/#12', 'dependabot/npm_and_yarn/x-1.2', 'release@2', '한글', 'a.b'])(
    '%s may be used',
    (name) => expect(isBranchName(name)).toBe(true),
  )

  it.each([
    '',
    '-x',
    '--upload-pack=x',
    '.x',
    '/x',
    'x/',
    'x.',
    'a..b',
    'a//b',
    'a/.b',
    'a.lock',
    'a.lock/b',
    '@',
    'a@{1}',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a\nb',
    'x'.repeat(201),
  ])('refuses %j', (name) => expect(isBranchName(name)).toBe(false))
})

describe('a host address', () => {
  it.each([
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    'fe80::1',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd20:ce::254',
    '64:ff9b::a9fe:a9fe',
    // one list with the egress of jobs
    '240.0.0.1',
    'fd00:ec2:1::1',
    'fd00:c1::a9fe:a9fe',
    '64:ff9b::6464:64c8',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::a9fe:a9fe',
    '::ffff:f000:1',
    'fe80::1%eth0',
  ])('%s is refused on every instance', (ip) => {
    expect(isClosed(ip, 'any')).toBe(true)
    expect(isClosed(ip, 'public')).toBe(true)
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
    '::ffff:10.0.0.1',
    '100.100.100.201',
    '64:ff9b::5db8:d70e',
  ])('%s is refused only with SVC_GIT_NETWORK=public', (ip) => {
    expect(isClosed(ip, 'any')).toBe(false)
    expect(isClosed(ip, 'public')).toBe(true)
  })

  it.each(['93.184.215.14', '2606:2800:21f:cb07::1'])('%s is open', (ip) => {
    expect(isClosed(ip, 'public')).toBe(false)
  })
})

describe('a redirect', () => {
  const SERVICE = '/info/refs?service=git-upload-pack'
  const from = parseAddress('http://example.com/old')

  it('may lead to another path of its host, and from http to https', () => {
    expect(redirectTarget(from, `/new.git${SERVICE}`).text).toBe('http://example.com/new.git')
    expect(redirectTarget(from, `https://example.com/new${SERVICE}`).text).toBe(
      'https://example.com/new',
    )
  })

  it.each([
    `http://evil.example/x${SERVICE}`,
    `http://example.com:8080/x${SERVICE}`,
    `https://example.com:8443/x${SERVICE}`,
    `//evil.example/x${SERVICE}`,
    `http://user:pw@example.com/x${SERVICE}`,
    `ftp://example.com/x${SERVICE}`,
    'http://example.com/login',
    'nonsense://',
  ])('may not lead to %s', (location) => {
    expect(() => redirectTarget(from, location)).toThrow(AppError)
  })

  it('may not lead from https to http', () => {
    const secure = parseAddress('https://example.com/old')
    expect(() => redirectTarget(secure, `http://example.com/x${SERVICE}`)).toThrow(AppError)
  })
})

describe('a listing of a tree', () => {
  const none = async (): Promise<void> => undefined
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

  it('contains plain files only', async () => {
    const oid = 'a'.repeat(40)
    const listing = [
      `100644 blob ${oid}      12\tapp.yaml`,
      `100755 blob ${oid}       0\tbin/run me.sh`,
      `120000 blob ${oid}      11\tlink`,
      `160000 commit ${oid}       -\tsubmodule`,
      `040000 tree ${oid}       -\tfolder`,
      'nonsense',
      '',
    ].join('\0')
    expect(await parseTree(bytesOf(listing), none)).toEqual([
      { path: 'app.yaml', oid, size: 12 },
      { path: 'bin/run me.sh', oid, size: 0 },
    ])
  })

  it('is read in parts, and so are its contents, with turns for other work', async () => {
    let turns = 0
    const takeTurn = async (): Promise<void> => {
      turns += 1
    }
    const oid = 'a'.repeat(40)
    const paths = Array.from({ length: 5_000 }, (_, at) => `${at}/é`)
    const listing = paths.map((path) => `100644 blob ${oid}       1\t${path}\0`).join('')
    const files = await parseTree(bytesOf(listing), takeTurn)
    expect(files.map(({ path }) => path)).toEqual(paths)
    expect(turns).toBeGreaterThan(1)
    turns = 0
    const output = bytesOf(`${oid} blob 1\nx\n`.repeat(paths.length))
    expect(await parseBatch(output, paths.length, takeTurn)).toHaveLength(paths.length)
    expect(turns).toBeGreaterThan(1)
  })

  it('matches its contents, whatever bytes they contain', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 6 }), async (contents) => {
        const output = Buffer.concat(
          contents.flatMap((content) => [
            Buffer.from(`${'b'.repeat(40)} blob ${content.length}\n`),
            content,
            Buffer.from('\n'),
          ]),
        )
        const read = await parseBatch(output, contents.length, none)
        expect(read.map((one) => [...one])).toEqual(contents.map((one) => [...one]))
      }),
    )
    await expect(parseBatch(Buffer.from('b missing\n'), 1, none)).rejects.toThrow('missing')
    await expect(parseBatch(new Uint8Array(0), 1, none)).rejects.toThrow('answered')
  })
})

describe('a failure of git', () => {
  const explain = (stderr: string): string =>
    explainFailure({ code: 128, stdout: new Uint8Array(0), stderr, stopped: null })

  it('is explained without addresses, paths and text of the remote', () => {
    expect(
      explain("remote: my secret\nfatal: something with 'https://a:b@c/d' and /etc/passwd\n"),
    ).toBe('fatal: something with the address and a path')
    expect(
      explain("fatal: could not read Username for 'http://x': terminal prompts disabled"),
    ).toContain('credentials')
    expect(
      explain('Load key "/tmp/key": error in libcrypto\ngit@x: Permission denied (publickey).\n'),
    ).toContain('ssh cannot read `auth.private_key`')
    expect(explain('')).toBe('git gave no reason')
    expect(
      explain('fatal: sha1 file write error: No space left on device\nfatal: fetch-pack: x\n'),
    ).toContain('temporary folder of the server is full')
    expect(
      explain(
        'error: RPC failed; curl 28 Operation too slow. Less than 1000 bytes/sec transferred the last 20 seconds\n' +
          'fatal: fetch-pack: invalid index-pack output\n',
      ),
    ).toBe('it did not answer in time')
    expect(explain('fatal: remote error: Ask Dora in room 7.\n')).toBe(
      'its server does not serve this repository',
    )
  })

  it('never repeats an address', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.constantFrom("'", ' ', '"', ''), (url, quote) => {
        expect(explain(`fatal: odd ${quote}${url}${quote} thing`)).not.toContain(url)
      }),
    )
  })
})
