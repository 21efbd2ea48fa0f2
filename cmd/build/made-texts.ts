/**
 * Makes the OpenAPI document and the reference page while the binary is built. A node that made them at the first request would
 * answer no other request for 0.3 s.
 */
import type { Plugin } from 'esbuild'
import { openApiText, referenceText } from '../../internal/http/reference/texts.ts'
import { VERSION } from '../../internal/node/version.ts'

const MODULE = /internal\/http\/reference\/texts\.ts$/

/** Returns the source of a module with the same exports, which returns the finished texts. */
const madeModule = async (): Promise<string> =>
  [
    `export const openApiText = () => ${JSON.stringify(openApiText(VERSION))};`,
    `export const referenceText = async () => ${JSON.stringify(await referenceText(VERSION))};`,
  ].join('\n')

/** The esbuild plugin. */
export const madeTexts: Plugin = {
  name: 'made-texts',
  setup: (build) => {
    build.onLoad({ filter: MODULE }, async () => ({ contents: await madeModule(), loader: 'js' }))
  },
}
