/**
 * Removes from the binary what a start would load and no part uses, or delays it until its first use. Node compiles its
 * built-in modules when they are first required, and `node:http2` and `node:https` together take a tenth of the time of
 * svc's own modules:
 * - `node:http2`: the HTTP adapter checks whether a request is HTTP/2; svc serves only HTTP/1.
 * - `node:https`: the first request that svc sends over TLS loads it.
 * - zod's messages in 50 languages: svc answers in English.
 * - prom-client's default metrics, push gateway and cluster: svc registers its own metrics.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'lighter-imports'

const HTTP2 = `
export class Http2ServerRequest {}
export const constants = { NGHTTP2_NO_ERROR: 0 };
`

/** The names that the importers use. If one of our modules imports another name, the build fails. */
const HTTPS = `
const load = () => process.getBuiltinModule('node:https');
export const request = (...args) => load().request(...args);
export function Agent(...args) { return new (load().Agent)(...args) }
`

/** Modules that a node loads at its start. Other packages get the whole module. */
const IMPORTERS =
  /node_modules\/(?:@hono\/node-server|ws)\/|internal\/outbound\/request-at\.ts$|internal\/git\/redirect\.ts$/

const LOCALES = /node_modules\/zod\/v4\/locales\/index\.js$/
const ENGLISH = /^export \{ default as en \} from "\.\/en\.js";$/m

/** @throws {Error} the package's source has changed */
export const onlyEnglish = (source: string): string => {
  const [english] = ENGLISH.exec(source) ?? []
  if (english !== undefined) return english
  throw new Error('The locales of zod have changed. Update cmd/build/lighter-imports.ts.')
}

const METRICS = /node_modules\/prom-client\/index\.js$/
const UNUSED_METRICS =
  /^exports\.(?:Summary|Pushgateway|collectDefaultMetrics|aggregators|AggregatorRegistry) = require\(.*$/gm
const UNUSED_COUNT = 5

/** @throws {Error} the package's source has changed */
export const withoutUnusedMetrics = (source: string): string => {
  const found = source.match(UNUSED_METRICS)?.length ?? 0
  if (found === UNUSED_COUNT) return source.replace(UNUSED_METRICS, '')
  throw new Error('prom-client has changed. Update cmd/build/lighter-imports.ts.')
}

/** The esbuild plugin. */
export const lighterImports: Plugin = {
  name: NAMESPACE,
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?http(?:2|s)$/ }, ({ path, importer }) =>
      IMPORTERS.test(importer)
        ? { path: path.replace('node:', ''), namespace: NAMESPACE }
        : undefined,
    )
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: path === 'http2' ? HTTP2 : HTTPS,
      loader: 'js',
    }))
    build.onLoad({ filter: LOCALES }, ({ path }) => ({
      contents: onlyEnglish(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
    build.onLoad({ filter: METRICS }, ({ path }) => ({
      contents: withoutUnusedMetrics(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
  },
}
