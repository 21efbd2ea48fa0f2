/** A name server over UDP on this machine that only knows TXT and A records. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type DnsServer = Readonly<{
  /** `127.0.0.1:port` */
  address: string
  /** Records by name. A name without an entry does not exist. */
  records: Map<string, readonly string[]>
  /** IPv4 addresses by name. */
  addresses: Map<string, string>
  /** Names that were requested. */
  asked: string[]
  /** Sets a fault: `silent` sends no response, `refused` an error. Null ends it. */
  setFault: (fault: 'silent' | 'refused' | null) => void
  close: () => Promise<void>
}>

const HEADER_BYTES = 12
const A = 1
const TXT = 16
const NAME_ERROR = 3
const REFUSED = 5
const STRING_BYTES = 255

type Question = Readonly<{ name: string; type: number; end: number }>

const readCall = (message: Buffer): Question => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const withHead = (type: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12)
  // the name is that of the question
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** Splits long texts into strings of 255 bytes, as the protocol requires. */
const toTextRecord = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let at = 0; at < bytes.length; at += STRING_BYTES) {
    const part = bytes.subarray(at, at + STRING_BYTES)
    strings.push(Buffer.from([part.length]), part)
  }
  return withHead(TXT, Buffer.concat(strings))
}

const toAddressRecord = (address: string): Buffer =>
  withHead(A, Buffer.from(address.split('.').map(Number)))

const toReply = (
  message: Buffer,
  end: number,
  { code, found }: Readonly<{ code: number; found: readonly Buffer[] }>,
): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(found.length, 6)
  return Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...found])
}

export const startDnsServer = async (): Promise<DnsServer> => {
  const socket = createSocket('udp4')
  const records = new Map<string, readonly string[]>()
  const addresses = new Map<string, string>()
  const recordsOf = (name: string, type: number): readonly Buffer[] => {
    if (type === TXT) return (records.get(name) ?? []).map(toTextRecord)
    const address = addresses.get(name)
    return type === A && address !== undefined ? [toAddressRecord(address)] : []
  }
  const asked: string[] = []
  let fault: 'silent' | 'refused' | null = null
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readCall(message)
    asked.push(name)
    if (fault === 'silent') return
    const isKnown = records.has(name) || addresses.has(name)
    const code = fault === 'refused' ? REFUSED : isKnown ? 0 : NAME_ERROR
    const found = fault === null ? recordsOf(name, type) : []
    socket.send(toReply(message, end, { code, found }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    addresses,
    asked,
    setFault: (next) => {
      fault = next
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
