/** A load generator on keep-alive connections that leaves most of the cores to the server. */
import { Agent, request } from 'node:http'

export type Answer = Readonly<{ status: number; text: string }>

export interface HttpLoad {
  post(path: string, body: string): Promise<Answer>
  close(): void
}

export const openHttpLoad = (
  { url, token }: Readonly<{ url: string; token: string }>,
  connections: number,
): HttpLoad => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }
        const sent = request(
          { agent, hostname, port, path, method: 'POST', headers },
          (response) => {
            let text = ''
            response.setEncoding('utf8')
            response.on('data', (part: string) => {
              text += part
            })
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
            response.on('error', reject)
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
