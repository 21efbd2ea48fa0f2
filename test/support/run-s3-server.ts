/** Program: an S3 server of its own process, for tests that block while commands run. Its address is its first line. */
import process from 'node:process'
import { startS3Server } from './s3-server.ts'

const { endpoint, close } = await startS3Server()
process.stdout.write(`${endpoint}\n`)
process.once('SIGTERM', () => void close().then(() => process.exit(0)))
