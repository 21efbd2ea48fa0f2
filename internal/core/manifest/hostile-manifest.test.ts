/** Manifests that would cost the server much, or reach what they must not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import type { ErrorDetail } from '../error.ts'
import { parseManifest } from './manifest.ts'

const faultsOf = (text: string, file = 'app.yaml'): readonly ErrorDetail[] => {
  const parsed = parseManifest(text, file)
  return parsed.ok ? [] : parsed.faults
}
const shown = (text: string, file?: string): readonly string[] =>
  faultsOf(text, file).map(({ path, message }) => `${path}: ${message}`)

describe('a hostile manifest', () => {
  const timed = (text: string): readonly string[] => {
    const startedAt = cpuMs()
    const told = shown(text)
    expect(cpuMs() - startedAt).toBeLessThan(8_000)
    expect(told.length).toBeGreaterThan(0)
    expect(told.length).toBeLessThanOrEqual(100)
    return told
  }

  it('of aliases that multiply is refused', () => {
    const levels = Array.from({ length: 12 }, (_, n) => {
      const aliases = Array.from({ length: 10 }, () => `*l${n - 1}`).join(', ')
      return `l${n}: &l${n} [${n === 0 ? 'x' : aliases}]`
    })
    expect(timed(levels.join('\n'))).toHaveLength(1)
  })

  it('that refers to itself is refused', () => {
    timed('key: a\nactions: &a [*a]\n')
    timed('&m\nkey: a\nflows: [*m]\n')
  })

  it('that nests without end is refused', () => {
    expect(timed('['.repeat(100_000))).toHaveLength(1)
    expect(timed(`key: ${'['.repeat(100)}${']'.repeat(100)}`)).toEqual([
      expect.stringContaining('nests too deeply'),
    ])
    timed(`key: ${'{a: '.repeat(5_000)}${'}'.repeat(5_000)}`)
    timed('- '.repeat(60_000))
  })

  it('of anchors, errors or comments without number is refused in time', () => {
    const many = Array.from({ length: 4_000 }, (_, n) => `  - &a${n} {}\n  - *a${n}\n`)
    timed(`key: a\nactions:\n${many.join('')}`)
    timed('&a '.repeat(40_000))
    timed(`key: a\n${'@\n'.repeat(60_000)}`)
    timed('#\n'.repeat(60_000))
    timed('%a\n'.repeat(40_000))
    timed('? '.repeat(60_000))
    for (const fault of timed(`${'!'.repeat(100_000)} a`)) expect(fault.length).toBeLessThan(500)
  })

  it('of too many keys, faults or bytes is refused in time', () => {
    timed(Array.from({ length: 10_000 }, (_, n) => `k${n}: 1`).join('\n'))
    timed(`key: a\nactions:\n${'  - {}\n'.repeat(15_000)}`)
    expect(timed(`key: a # ${'x'.repeat(300_000)}`)).toEqual([
      'app.yaml: The manifest is larger than 128 KiB.',
    ])
  })

  it.each([
    [
      'an inputSchema',
      'actions:\n  - key: b\n    entrypoint: b.ts\n    inputSchema: { properties: { __proto__: false } }\n',
    ],
    ['the manifest', '"__proto__": {}\n'],
  ])('names the key __proto__ of %s', (_, text) => {
    expect(timed(`key: a\nname: A\n${text}`)).toEqual([
      expect.stringMatching(/^app\.yaml:\d+:\d+: A key cannot be "__proto__"/),
    ])
  })

  it('reaches no prototype', () => {
    timed('key: a\n__proto__: { polluted: true }\n')
    timed('key: a\nconstructor: { prototype: { polluted: true } }\n')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('of any text is answered, never thrown at', () => {
    const pieces = fc.constantFrom(
      ...[
        'key',
        ': ',
        '\n',
        '  ',
        '- ',
        '&a ',
        '*a',
        '[',
        ']',
        '{',
        '}',
        ',',
        '"',
        "'",
        '|',
        '>',
        '#',
        '!',
        '!!set',
        '?',
        '%',
        '---',
        'actions',
        'flows',
        'steps',
        '\t',
        '1',
        'null',
        '\u0000',
        '\ud800',
        '<<',
      ],
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (text) => {
          const parsed = parseManifest(text, 'app.yaml')
          if (!parsed.ok) expect(parsed.faults.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
