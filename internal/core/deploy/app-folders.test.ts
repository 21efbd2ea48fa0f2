import { describe, expect, it } from 'vitest'
import { findAppFolders } from './app-folders.ts'

describe('the apps of a repository', () => {
  it('are in the first-level folders with a manifest', () => {
    const paths = ['b/app.yaml', 'a/app.json', 'a/lib/app.yaml', 'c/main.ts', 'b/app.json']
    expect(findAppFolders(paths, 9)).toEqual(['a', 'b'])
  })

  it('are one app if the root has a manifest, however many folders come before it', () => {
    expect(findAppFolders(['a/app.yaml', 'aa/app.yaml', 'app.yaml', 'b/app.yaml'], 1)).toEqual([''])
  })

  it('are returned up to one more than the caller accepts', () => {
    const paths = Array.from({ length: 1_000 }, (_, n) => `app-${n}/app.yaml`)
    expect(findAppFolders(paths, 1_000)).toHaveLength(1_000)
    expect(findAppFolders(paths, 200)).toHaveLength(201)
  })
})
