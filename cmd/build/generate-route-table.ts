/** Writes internal/http/route-table.gen.ts: what the server needs to know of each endpoint without loading its schemas. */
import { resolve } from 'node:path'
import type { Endpoints } from '../../internal/http/endpoint.ts'
import { endpointFamilies } from '../../internal/http/endpoints/all.ts'
import { routeFactsOf } from '../../internal/http/route-facts.ts'
import { writeGenerated } from './write-generated.ts'

const tableOf = (family: Endpoints) =>
  Object.entries(family).map(([operationId, one]) => routeFactsOf(operationId, one))

const table = Object.entries(endpointFamilies).map(([name, family]) => [name, tableOf(family)])
const families = Object.keys(endpointFamilies).map((name) => `  | '${name}'`)

const source = `// Made by \`make generate\` from internal/http/endpoints. Do not edit.
import type { RouteFacts } from './route.ts'

export type RouteFamily =
${families.join('\n')}

/** By family, in the order of the OpenAPI document. */
export const ROUTE_TABLE: readonly (readonly [RouteFamily, readonly RouteFacts[]])[] = ${JSON.stringify(table, null, 2)}
`

writeGenerated(resolve(import.meta.dirname, '../../internal/http/route-table.gen.ts'), source)
