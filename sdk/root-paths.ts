/** Paths that belong to no workspace and do not begin with /api/. The generator of api.gen.ts holds the list to be whole. */
export const ROOT_PATHS: readonly string[] = [
  '/healthz',
  '/metrics',
  '/document-parser/registry',
  '/v2/workflows',
  '/v2/certificates/session',
  '/v2/certificates/session/{certId}',
  '/v2/certificates/resolve',
  '/v2/certificates/upload/{certId}',
]
