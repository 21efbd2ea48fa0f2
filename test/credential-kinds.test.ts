/** docs/checklists/new-credential-kind.md: limits how many files name the kinds of credentials. */
import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CREDENTIAL_KINDS, CREDENTIALS } from '#core/access/credentials.ts'
import { ROOT, readSource } from './support/repository.ts'

const SOURCES = globSync('{internal,cmd,sdk,web/src}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (path) => !/\.(?:test|gen)\.ts$/.test(path),
)

const CHECKLIST = 'docs/checklists/new-credential-kind.md'

describe('a new kind of credential touches at most five files', () => {
  /** A customer key is a caller with its own rules, so more files name it than any other kind. */
  const KIND = /(?<!code: )'customer_key'|\bcustomer_key:/

  /** Files that belong to one kind. */
  const OWN = [
    'internal/service/access/authenticate-customer-key.ts',
    'internal/service/customers/manage-consumer.ts',
    // an error code has the same name
    'web/src/language/korean-errors.ts',
  ]

  // a route declares whether customers may call it: per route, not per kind
  const knowing = SOURCES.filter((path) => KIND.test(readSource(path))).filter(
    (path) => !OWN.includes(path) && !path.startsWith('internal/http/endpoints/'),
  )

  test('namely those of the checklist', () => {
    const listed = [...readSource(CHECKLIST).matchAll(/^\d\. .*(?:\n .*)*/gm)].flatMap(([item]) =>
      [...item.matchAll(/`((?:internal|web)\/[^`]+\.ts)`/g)].map(([, path = '']) => path),
    )
    expect(knowing.toSorted()).toEqual(listed.toSorted())
    expect(knowing.length).toBeLessThanOrEqual(5)
  })
})

test('the forms of credentials are written in one file', () => {
  const prefixes = CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind].prefix)
  const PATTERN = new RegExp(`(?:${prefixes.join('|')}|svc\\[[a-z]+\\]\\??_)\\[0-9A-Za-z\\]`)
  const spelled = SOURCES.filter((path) => PATTERN.test(readSource(path)))
  expect(spelled).toEqual([])
})
