/** Program: an S3 server in a separate process, for tests that block while commands run. Its first line is its address. */
import process from 'node:process'
import { startS3Server } from './s3-server.ts'

const { endpoint, close } = await startS3Server()
process.stdout.write(`${endpoint}\n`)
process.once('SIGTERM', () => void close().then(() => process.exit(0)))
