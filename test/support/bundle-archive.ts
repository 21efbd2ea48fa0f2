/** tar.gz archives, valid and hostile ones. */
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import type { AppTexts } from './app-files.ts'

export type ArchiveEntry = Readonly<{
  header: Partial<Header> & { name: string }
  content?: string | Buffer
}>

/** Makes a tar archive, not yet compressed with gzip. */
export const makeTar = async (entries: readonly ArchiveEntry[]): Promise<Buffer> => {
  const tar = pack()
  for (const { header, content } of entries) {
    // a link has no content, not even an empty one
    if (content === undefined) tar.entry(header)
    else tar.entry(header, content)
  }
  tar.finalize()
  return buffer(tar)
}

export const makeArchive = async (entries: readonly ArchiveEntry[]): Promise<Uint8Array> =>
  gzipSync(await makeTar(entries))

export const packApp = (files: AppTexts): Promise<Uint8Array> =>
  makeArchive(Object.entries(files).map(([name, content]) => ({ header: { name }, content })))

/** The request of `POST /deployments`: its body, and the header with the boundary. */
export const toUpload = async (
  bundle: Uint8Array,
  message?: string,
): Promise<
  Readonly<{ body: Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> }>
> => {
  const form = new FormData()
  form.set('bundle', new Blob([new Uint8Array(bundle)]), 'bundle.tar.gz')
  if (message !== undefined) form.set('message', message)
  const response = new Response(form)
  const headers = { 'content-type': response.headers.get('content-type') ?? '' }
  return { body: new Uint8Array(await response.arrayBuffer()), headers }
}
