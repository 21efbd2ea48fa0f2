/** Paths outside workspaces that do not begin with /api/. The generator of api.gen.ts fails if one is missing. */
export const ROOT_PATHS: readonly string[] = [
  '/healthz',
  '/metrics',
  '/hook/{ws}/{app}/{key}',
  '/mcp/{ws}',
  '/document-parser/registry',
  '/v2/workflows',
  '/v2/certificates/session',
  '/v2/certificates/session/{certId}',
  '/v2/certificates/resolve',
  '/v2/certificates/upload/{certId}',
]
