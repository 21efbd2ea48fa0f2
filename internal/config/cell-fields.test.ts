import { describe, expect, test } from 'vitest'
import { AppError } from '#core/error.ts'
import { configOfCell, databaseUrlOf, loadConfig } from './config.ts'
import { describeConfig } from './describe-config.ts'
import { secretValues } from './secret-values.ts'

const load = (env: Readonly<Record<string, string>>) => loadConfig({ env, flags: {} }).config

const refusalOf = (env: Readonly<Record<string, string>>): string => {
  try {
    load(env)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  throw new Error('The settings were accepted.')
}

const TWO = { SVC_CELLS: 'eu=http://eu:8080; us=file:/srv/us.db' }

describe('SVC_CELLS', () => {
  test('names further databases', () => {
    expect(load(TWO).cells).toEqual([
      { name: 'eu', url: 'http://eu:8080' },
      { name: 'us', url: 'file:/srv/us.db' },
    ])
    expect(load({}).cells).toEqual([])
  })

  test('gives the settings of one cell', () => {
    const config = load({
      ...TWO,
      SVC_DATABASE_URL: 'http://home:8080',
      SVC_DATABASE_AUTH_TOKEN: 'token-of-home',
      SVC_CELL_AUTH_TOKENS: 'eu=token-of-eu',
    })
    const [eu, us] = [configOfCell(config, 'eu'), configOfCell(config, 'us')]
    expect([databaseUrlOf(eu), eu.databaseAuthToken]).toEqual(['http://eu:8080', 'token-of-eu'])
    expect([databaseUrlOf(us), us.databaseAuthToken]).toEqual(['file:/srv/us.db', undefined])
    expect(configOfCell(config, 'home')).toBe(config)
    expect(() => configOfCell(config, 'mars')).toThrow('There is no cell "mars"')
  })

  test.each([
    ['home=file:/a.db', 'The name of a cell'],
    ['EU=file:/a.db', 'The name of a cell'],
    ['eu', 'must have the form name=address'],
    ['eu=ftp://x', 'must have the form name=address'],
    ['eu=http://a b:1', 'an address such as http://db:8080'],
    ['eu=file:/a.db;eu=file:/b.db', 'names a cell twice'],
    ['eu=file:/a.db;us=file:/a.db', 'the same database'],
    ['eu=file:./svc-data/svc.db', 'the first database'],
  ])('%j is refused', (cells, sentence) => {
    expect(refusalOf({ SVC_CELLS: cells })).toContain(sentence)
  })

  test.each([
    [
      { ...TWO, SVC_CELL_AUTH_TOKENS: 'mars=secret' },
      'names the cell mars, but SVC_CELLS names eu, us',
    ],
    [{ ...TWO, SVC_NODE_CELLS: 'home,mars' }, 'names the cell mars, but SVC_CELLS names eu, us'],
    [{ SVC_NODE_CELLS: 'eu' }, 'names the cell eu, but SVC_CELLS names none'],
  ])('a name that is not among them is refused', (env, sentence) => {
    expect(refusalOf(env)).toContain(sentence)
  })

  test('no secret is shown, and all are known as secrets', () => {
    const config = load({
      SVC_CELLS: 'eu=libsql://svc:pass-of-eu@eu.example?authToken=query-token',
      SVC_DATABASE_URL: 'libsql://svc:100%25-and-%@db.example',
      SVC_CELL_AUTH_TOKENS: 'eu=token-of-eu',
    })
    const shown = JSON.stringify(describeConfig(config))
    for (const secret of ['pass-of-eu', 'query-token', 'token-of-eu', '100%25-and-%']) {
      expect(shown).not.toContain(secret)
    }
    expect(shown).toContain('eu=libsql://')
    expect(secretValues(config)).toEqual(
      expect.arrayContaining(['pass-of-eu', 'token-of-eu', '100%25-and-%']),
    )
  })
})
