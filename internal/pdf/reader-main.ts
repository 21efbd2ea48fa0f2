/** Program of a process that reads PDFs. It ends when its host closes the pipe, or when it detects an error. */
import process from 'node:process'
import { runReader } from './reader-loop.ts'

void runReader(process.stdin, process.stdout)
