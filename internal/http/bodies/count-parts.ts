/**
 * Counts each part of a stream until its reader asks for the next one. That of a connection asks when the part was sent. So the
 * parts are read one at a time, without one in reserve.
 * @param add counts so many bytes, and returns what ends that
 */
export const countParts = (
  source: ReadableStream<Uint8Array>,
  add: (bytes: number) => () => void,
): ReadableStream<Uint8Array> => {
  const reader = source.getReader()
  let leave = (): void => undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        leave()
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          return
        }
        leave = add(value.length)
        controller.enqueue(value)
      },
      cancel: async (reason) => {
        leave()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
