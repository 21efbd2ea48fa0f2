/** The databases of a fleet: a file, a sqld, or several namespaces of one sqld, each behind a network that can fail. */
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { openNamespacesOf } from '../support/namespaces.ts'
import { type Sqld, type SqldOptions, startSqld } from '../support/sqld.ts'

export const FLEET_BACKENDS = ['file', 'sqld', 'cells'] as const
export type FleetBackend = (typeof FLEET_BACKENDS)[number]

export type FleetDatabase = Readonly<{
  /** The name of the cell. */
  name: string
  /** The URL by which nodes reach it. */
  nodeUrl: string
  /** The URL by which a test reads it, without the network of the nodes. */
  url: string
  /** The network between the nodes and it; null if there is none. */
  network: FaultProxy | null
}>

export type FleetDatabases = Readonly<{
  /** Null with a file. */
  sqld: Sqld | null
  /** The home first. Empty with a file, whose place the data directory determines. */
  all: readonly FleetDatabase[]
  close: () => Promise<void>
}>

/** The cells of the backend `cells`, the home first. */
export const FLEET_CELLS = ['home', 'eu', 'us'] as const

/** Settings by which nodes find their databases. @param urlOf the URL of each */
export const databaseEnv = (
  databases: readonly FleetDatabase[],
  urlOf: (database: FleetDatabase) => string = ({ nodeUrl }) => nodeUrl,
): Readonly<Record<string, string>> => {
  const [home, ...cells] = databases
  if (home === undefined) return {}
  const named = cells.map((cell) => `${cell.name}=${urlOf(cell)}`).join(';')
  return { SVC_DATABASE_URL: urlOf(home), ...(named === '' ? {} : { SVC_CELLS: named }) }
}

const openCells = async (options: Omit<SqldOptions, 'more'>): Promise<FleetDatabases> => {
  const namespaces = await openNamespacesOf(FLEET_CELLS, options)
  const all = await Promise.all(
    FLEET_CELLS.map(async (name) => {
      const url = namespaces.urlOf(name)
      const network = await startFaultProxy(url)
      return { name, url, nodeUrl: network.url, network }
    }),
  )
  return {
    sqld: namespaces.sqld,
    all,
    close: async () => {
      await Promise.all(all.map(({ network }) => network.close()))
      await namespaces.close()
    },
  }
}

export const openFleetDatabases = async (
  backend: FleetBackend,
  options: Omit<SqldOptions, 'more'>,
): Promise<FleetDatabases> => {
  if (backend === 'file') return { sqld: null, all: [], close: async () => undefined }
  if (backend === 'cells') return openCells(options)
  const sqld = await startSqld(options)
  const { httpUrl: url } = sqld
  return { sqld, all: [{ name: 'home', url, nodeUrl: url, network: null }], close: sqld.close }
}
