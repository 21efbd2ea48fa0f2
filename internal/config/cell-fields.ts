/** Settings of further databases, in addition to the first one. */
import { z } from 'zod'
import { CELL_NAME_RULE, HOME_CELL, isCellName } from '#core/cells.ts'
import { DATABASE_SCHEMES, isDatabaseAddress, list, settingMeta } from './setting.ts'

export type CellSetting = Readonly<{ name: string; url: string }>

/** Parses `a=x;b=y` as pairs; an entry without `=` becomes a pair without a value. */
const pairs = z.string().transform((joined) =>
  joined
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0
        ? ([part, ''] as const)
        : ([part.slice(0, at).trim(), part.slice(at + 1).trim()] as const)
    }),
)

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length

const cells = pairs
  .refine((all) => all.every(([name]) => isCellName(name)), `must name cells. ${CELL_NAME_RULE}`)
  .refine(
    (all) => all.every(([, url]) => DATABASE_SCHEMES.test(url)),
    'must have the form name=address;name=address, with addresses that begin with file:, http:, https:, ws:, wss: or libsql:',
  )
  .refine(
    (all) => all.every(([, url]) => isDatabaseAddress(url)),
    'must give each cell an address such as http://db:8080',
  )
  .refine((all) => isUnique(all.map(([name]) => name)), 'names a cell twice')
  .refine((all) => isUnique(all.map(([, url]) => url)), 'gives two cells the same database')
  .transform((all): readonly CellSetting[] => all.map(([name, url]) => ({ name, url })))

const tokens = pairs
  .refine(
    (all) => all.every(([, token]) => token !== ''),
    'must have the form name=token;name=token',
  )
  .transform((all): ReadonlyMap<string, string> => new Map(all))

export const cellFields = {
  cells: cells.default([]).register(settingMeta, {
    env: 'SVC_CELLS',
    defaultText: 'none',
    sentence:
      'Further databases with a share of the workspaces, as name=address;name=address (docs/operating.md). Set it alike on all nodes.',
  }),
  cellAuthTokens: tokens.default(new Map()).register(settingMeta, {
    env: 'SVC_CELL_AUTH_TOKENS',
    defaultText: 'none',
    sentence:
      'Tokens for those of them that are reached over the network, as name=token;name=token.',
    secret: true,
  }),
  nodeCells: list.default([]).register(settingMeta, {
    env: 'SVC_NODE_CELLS',
    flag: 'cells',
    defaultText: 'all',
    sentence: `Cells, separated by commas, whose jobs a worker claims and whose schedules a scheduler fires; ${HOME_CELL} is the first database.`,
  }),
}
