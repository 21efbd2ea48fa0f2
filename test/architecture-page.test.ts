/** Everything that docs/architecture.md names exists: it lists exactly the folders of internal, and its paths are valid. */
import { existsSync, globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { ROOT, readSource } from './support/repository.ts'

const page = readSource('docs/architecture.md')
const [, tables = ''] = page.split('\n## Modules\n')
const [modules = '', parts = ''] = tables.split('\n### Inside sandbox\n')

/** The names in the first column of a table. */
const namesIn = (table: string): readonly string[] =>
  [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

const foldersOf = (path: string): readonly string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

describe('docs/architecture.md', () => {
  it('names every module, and no other', () => {
    const outside = ['cmd/svc', 'cmd/build', 'cmd/release', 'sdk', 'web']
    expect(namesIn(modules).toSorted()).toEqual([...foldersOf('internal'), ...outside].toSorted())
  })

  it('names every part of sandbox, and no other', () => {
    const [table = ''] = parts.split('\n## ')
    expect(namesIn(table).toSorted()).toEqual(foldersOf('internal/sandbox').toSorted())
  })

  it('leads only to files that exist', () => {
    const paths = [...page.matchAll(/`([\w./-]+\/[\w./-]*|[\w-]+\.(?:ts|md|cjs))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !path.startsWith('dist/'))
    expect(paths.length).toBeGreaterThan(20)
    const missing = paths.filter(
      (path) =>
        !['', 'internal'].some((folder) => existsSync(join(ROOT, folder, path))) &&
        globSync(`{internal,test}/**/${path}`, { cwd: ROOT }).length === 0,
    )
    expect(missing).toEqual([])
    const links = [...page.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(join(ROOT, 'docs', path)))).toEqual([])
  })

  it('gives the columns of the index that the claim probes', () => {
    const [, columns = ''] = /`jobs_ready \(([^)]*)\)`/.exec(page) ?? []
    const made = MIGRATIONS.flatMap(({ statements }) => statements).findLast((statement) =>
      statement.startsWith('CREATE INDEX jobs_ready '),
    )
    expect(made?.replaceAll(' DESC', '')).toContain(`(${columns})`)
  })
})
