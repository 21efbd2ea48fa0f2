import { expect, it } from 'vitest'
import { queuedBytes } from './socket-memory.ts'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0C38 00000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 151
   1: 0100007F:0C38 0100007F:9C40 01 00000000:0020FF10 00:00000000 00000000 65534        0 152
   2: 0100007F:9C40 0100007F:0C38 01 00010000:00000000 01:00000015 00000000 65534        0 153
`

it('counts bytes on their way and bytes not read', () => {
  expect(queuedBytes(TABLE)).toBe(0x20ff10 + 0x10000)
  expect(queuedBytes('')).toBe(0)
})
