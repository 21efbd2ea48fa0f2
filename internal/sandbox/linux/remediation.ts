/** Sentences about how an operator makes bubblewrap work on this host. */
const INSTALL = 'Install bubblewrap 0.8 or newer (Debian, Ubuntu: apt-get install bubblewrap).'
const ALLOW =
  'Allow user namespaces to unprivileged users: on Ubuntu by an AppArmor profile for bwrap or sysctl kernel.apparmor_restrict_unprivileged_userns=0, on Debian by sysctl kernel.unprivileged_userns_clone=1, in a container by a seccomp profile that allows clone, unshare and mount and an unmasked /proc (docs/security.md).'

const NAMESPACE_REFUSED =
  /namespace|uid map|gid map|Operation not permitted|Permission denied|RTM_NEWADDR|pivot_root|mount/i

const LIMITED =
  'Remove the limit on virtual memory (ulimit -v, LimitAS= of systemd): the runtime of jobs reserves far more than it uses.'
const NO_ADDRESSES = /out of memory.*reservation/i

export const NO_BUBBLEWRAP = `bubblewrap is not installed. ${INSTALL}`

/**
 * @param reason what went wrong, as bubblewrap or the probe reports it
 * @returns a sentence, empty if the reason is not known
 */
export const remediationFor = (reason: string): string => {
  if (/needs 0\.8/.test(reason)) return INSTALL
  if (NO_ADDRESSES.test(reason)) return LIMITED
  return NAMESPACE_REFUSED.test(reason) && !reason.includes('A job could') ? ALLOW : ''
}
