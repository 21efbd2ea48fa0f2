import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'All workspaces and accounts of this installation. Only super admins can see this page.',
    ko: '이 인스턴스의 모든 워크스페이스와 계정입니다. 최고 관리자만 볼 수 있습니다.',
  },
  users: { en: 'Accounts', ko: '계정' },
  audit: { en: 'Audit log', ko: '감사 로그' },
  suspended: { en: 'Suspended', ko: '정지됨' },
  idHint: {
    en: 'a-z, 0-9 and -. Used in URLs; it cannot be changed.',
    ko: '모든 주소에 쓰이며 바꿀 수 없습니다. a-z, 0-9, -만 쓸 수 있습니다.',
  },
  superAdmin: { en: 'Super admin', ko: '최고 관리자' },
  yes: { en: 'Yes', ko: '예' },
  no: { en: 'No', ko: '아니요' },
  newWorkspace: { en: 'New workspace', ko: '새 워크스페이스' },
  make: { en: 'Create workspace', ko: '워크스페이스 만들기' },
  notMade: { en: 'Could not create the workspace', ko: '워크스페이스를 만들지 못했습니다' },
  made: { en: 'Workspace created', ko: '워크스페이스를 만들었습니다' },
  suspend: { en: 'Suspend', ko: '정지' },
  resume: { en: 'Resume', ko: '재개' },
  suspendTitle: {
    en: (id: string) => `Suspend ${id}?`,
    ko: (id: string) => `${id} 워크스페이스를 정지할까요?`,
  },
  suspendText: {
    en: 'Paid calls such as the document parser are refused at once. Jobs, flows and functions continue. You can resume it later.',
    ko: '문서 파서 같은 유료 호출이 즉시 거부됩니다. 작업, 플로우, 함수는 계속 작동하며 나중에 재개할 수 있습니다.',
  },
  notChanged: { en: 'Could not save the changes', ko: '변경하지 못했습니다' },
  credit: { en: 'Add credit', ko: '충전' },
  amount: { en: 'Amount (₩)', ko: '금액(원)' },
  amountHint: {
    en: 'A negative amount withdraws credit.',
    ko: '음수를 입력하면 잔액에서 회수합니다.',
  },
  note: { en: 'Note', ko: '메모' },
  addCredit: { en: 'Add credit', ko: '충전하기' },
  creditAdded: {
    en: (won: string) => `The balance is now ₩${won}`,
    ko: (won: string) => `현재 잔액은 ₩${won}입니다`,
  },
  noCredit: { en: 'Could not add credit', ko: '충전하지 못했습니다' },
  disableTitle: {
    en: (email: string) => `Disable ${email} everywhere?`,
    ko: (email: string) => `${email} 계정을 모든 곳에서 비활성화할까요?`,
  },
  disableText: {
    en: 'All sessions and tokens of this account stop working in every workspace at once. You can enable it again.',
    ko: '모든 워크스페이스에서 이 계정의 세션과 토큰이 즉시 끊깁니다. 다시 활성화할 수 있습니다.',
  },
  invitedBy: { en: 'Invited by workspace', ko: '초대한 워크스페이스' },
  remove: { en: 'Delete', ko: '삭제' },
  resetFactor: { en: 'Reset two-factor', ko: '2단계 인증 초기화' },
  resetFactorTitle: {
    en: (email: string) => `Turn off two-factor sign-in of ${email}?`,
    ko: (email: string) => `${email}의 2단계 인증을 끌까요?`,
  },
  resetFactorText: {
    en: 'Then the password is enough to sign in. Do this only for a person who has lost both the app and the recovery codes.',
    ko: '이후에는 비밀번호만으로 로그인할 수 있습니다. 인증 앱과 복구 코드를 모두 잃어버린 경우에만 사용하세요.',
  },
  factorReset: { en: 'Two-factor sign-in is off', ko: '2단계 인증을 껐습니다' },
  removeTitle: {
    en: (email: string) => `Delete the account ${email}?`,
    ko: (email: string) => `${email} 계정을 삭제할까요?`,
  },
  removeText: {
    en: 'Its sessions, tokens and memberships end at once and cannot be restored. A new invite to the address creates a new account. Use this if someone else took the address.',
    ko: '세션, 토큰, 멤버 자격이 즉시 사라지며 되돌릴 수 없습니다. 이 주소를 다시 초대하면 새 계정이 만들어집니다. 다른 사람이 이 주소로 계정을 만들었을 때 사용하세요.',
  },
  removed: { en: 'Account deleted', ko: '계정을 삭제했습니다' },
  notRemoved: { en: 'Could not delete the account', ko: '계정을 삭제하지 못했습니다' },
  newAccount: {
    en: 'Accounts are created by workspace invites or on the server:',
    ko: '계정은 워크스페이스 초대로 만들거나 서버에서 다음 명령으로 만듭니다.',
  },
  none: { en: 'Nothing here yet', ko: '항목이 없습니다' },
  noneText: { en: 'Create the first workspace.', ko: '첫 워크스페이스를 만드세요.' },
})
