import { expect, it } from 'vitest'
import { bubblewrapArgs } from './bubblewrap-args.ts'

/** The arguments are the confinement, so every change of them must be deliberate. */
it('a confinement has exactly these arguments', () => {
  const words = bubblewrapArgs({
    binds: [
      { from: '/lib/libc.so.6', to: '/lib/libc.so.6' },
      { from: '/cache/deno', to: '/svc/deno' },
    ],
    env: { TMPDIR: '/tmp' },
    temporaryMb: 80,
    filterDescriptor: 9,
    command: ['/svc/deno', 'run'],
  })
  expect(words.join(' ')).toBe(
    '--unshare-all --unshare-user --disable-userns --uid 65534 --gid 65534 --cap-drop ALL ' +
      '--die-with-parent --new-session --clearenv --hostname job --size 83886080 --tmpfs /tmp ' +
      '--ro-bind /lib/libc.so.6 /lib/libc.so.6 --ro-bind /cache/deno /svc/deno --proc /proc ' +
      '--ro-bind /proc/sys /proc/sys --dev /dev --remount-ro /dev --remount-ro / --chdir /tmp ' +
      '--setenv LD_LIBRARY_PATH /lib --setenv TMPDIR /tmp --seccomp 9 -- /svc/deno run',
  )
})

it('a program of ours may have the host’s network, and folders of its own', () => {
  const words = bubblewrapArgs({
    binds: [],
    writableBinds: [{ from: '/tmp/a', to: '/tmp/a' }],
    env: {},
    temporaryMb: 1,
    network: true,
    command: ['git'],
  })
  expect(words).toContain('--share-net')
  expect(words.join(' ')).toContain('--bind /tmp/a /tmp/a --remount-ro /')
  expect(words).not.toContain('--seccomp')
})
