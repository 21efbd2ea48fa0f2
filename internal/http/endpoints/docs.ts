import { empty, media } from '../answer.ts'
import { endpoint } from '../endpoint.ts'

export const docEndpoints = {
  getOpenApiDocument: endpoint({
    method: 'get',
    path: '/api/openapi.json',
    admits: ['public'],
    tag: 'Documentation',
    summary: 'This API as an OpenAPI 3.1 document',
    answers: {
      200: media('application/json', 'The document'),
      304: empty('It is still the one whose ETag `If-None-Match` names'),
    },
  }),
  getManifestSchema: endpoint({
    method: 'get',
    path: '/api/schemas/app.json',
    admits: ['public'],
    tag: 'Documentation',
    summary: 'The JSON Schema of app.yaml, for editors',
    answers: { 200: media('application/schema+json', 'The schema') },
  }),
  getDocsPage: endpoint({
    method: 'get',
    path: '/api/docs',
    admits: ['public'],
    tag: 'Documentation',
    summary: 'This API as a page',
    answers: { 200: media('text/html', 'The page') },
  }),
}
