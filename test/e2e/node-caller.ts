/** Calls of a node over HTTP, as an administrator of the workspace. */
import type { AppTexts } from '../support/app-files.ts'
import { packApp } from '../support/bundle-archive.ts'
import type { Folder, Node } from './durable-node.ts'

export type NodeCaller = Readonly<{
  /** @param path below the workspace @param body a text is JSON */
  call: (method: string, path: string, body?: FormData | string) => Promise<Response>
  /** @throws {Error} the deployment was refused */
  deploy: (texts: AppTexts) => Promise<void>
}>

export const nodeCaller = ({ url }: Node, { token }: Folder): NodeCaller => {
  const call: NodeCaller['call'] = (method, path, body) =>
    fetch(`${url}/api/w/default${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
  return {
    call,
    deploy: async (texts) => {
      const form = new FormData()
      form.set('bundle', new Blob([new Uint8Array(await packApp(texts))]), 'app.tar.gz')
      const answer = await call('POST', '/deployments', form)
      if (!answer.ok) throw new Error(`The deployment was refused: ${await answer.text()}`)
    },
  }
}
