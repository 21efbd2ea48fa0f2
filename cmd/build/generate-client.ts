/** Writes the types of the client, sdk/api.gen.ts, from the OpenAPI document of the endpoints. */
import { resolve } from 'node:path'
import { allEndpoints } from '../../internal/http/endpoints/all.ts'
import { openApiDocument } from '../../internal/http/openapi.ts'
import { ROOT_PATHS } from '../../sdk/root-paths.ts'
import { emitClient, rootPathsOf } from './emit-client.ts'
import { writeGenerated } from './write-generated.ts'

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(allEndpoints, '0')))
const roots = rootPathsOf(document)
if (roots.toSorted().join() !== ROOT_PATHS.toSorted().join()) {
  throw new Error(`sdk/root-paths.ts must list exactly ${roots.join(', ')}.`)
}

writeGenerated(resolve(import.meta.dirname, '../../sdk/api.gen.ts'), emitClient(document))
