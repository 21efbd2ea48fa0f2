/**
 * The texts that describe the API: the OpenAPI document and the reference page. To make them takes 0.3 s, so the build of the
 * binary makes them and replaces this module (cmd/build/made-texts.ts).
 */
import { allEndpoints } from '../endpoints/all.ts'
import { openApiDocument } from '../openapi.ts'
import { referencePage } from './page.ts'

/** Returns the OpenAPI document as JSON. */
export const openApiText = (version: string): string =>
  JSON.stringify(openApiDocument(allEndpoints, version))

/** Returns the HTML of `/api/docs`. */
export const referenceText = (version: string): Promise<string> =>
  referencePage(JSON.parse(openApiText(version)), version)
