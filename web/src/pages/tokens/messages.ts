import { defineMessages } from '../../language/messages.ts'
import type { Preset } from './scope-groups.ts'

const PRESETS_EN: Readonly<Record<Preset, string>> = {
  none: 'None',
  read: 'Read only',
  run: 'Run jobs and flows',
  deploy: 'Deploy (CI)',
  all: 'All scopes',
}
const PRESETS_KO: Readonly<Record<Preset, string>> = {
  none: '없음',
  read: '읽기 전용',
  run: '작업·플로우 실행',
  deploy: '배포 (CI)',
  all: '전체 권한',
}

export const messages = defineMessages({
  about: {
    en: 'Programs, CI and the command line authenticate with tokens. A token acts for its owner within its scopes.',
    ko: '프로그램, CI, 명령줄은 토큰으로 인증합니다. 토큰은 소유자를 대신하며 주어진 권한 안에서만 작동합니다.',
  },
  issue: { en: 'New token', ko: '새 토큰' },
  nameHint: {
    en: 'Where you will use it, for example “GitHub Actions” or “Mina’s laptop”.',
    ko: '어디에 쓰는지 적어 두세요. 예: “GitHub Actions”, “민아 노트북”',
  },
  scopes: { en: 'Scopes', ko: '권한' },
  owner: { en: 'Owner', ko: '소유자' },
  everything: { en: 'all scopes', ko: '전체 권한' },
  nothing: { en: 'none', ko: '없음' },
  asAdmin: { en: 'Acts as an admin of the workspace', ko: '워크스페이스 관리자로 동작' },
  adminHint: {
    en: 'Can see the input of all jobs and cancel them.',
    ko: '모든 사람의 작업 입력을 보고 작업을 취소할 수 있습니다.',
  },
  presets: { en: 'Presets', ko: '빠른 선택' },
  preset: {
    en: (preset: Preset) => PRESETS_EN[preset],
    ko: (preset: Preset) => PRESETS_KO[preset],
  },
  allNote: {
    en: 'This token can do everything that you can do in this workspace. Select only the scopes you need where possible.',
    ko: '이 토큰은 이 워크스페이스에서 내 계정이 할 수 있는 모든 일을 할 수 있습니다. 가능하면 필요한 권한만 선택하세요.',
  },
  create: { en: 'Create token', ko: '토큰 만들기' },
  notCreated: { en: 'Could not create the token', ko: '토큰을 만들지 못했습니다' },
  theToken: { en: 'Your new token', ko: '토큰' },
  use: {
    en: 'Try it. This returns the identity of the token:',
    ko: '바로 확인해 보세요. 토큰 정보를 조회하는 명령입니다.',
  },
  noScopes: { en: 'Select at least one scope.', ko: '권한을 하나 이상 선택하세요.' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 토큰을 폐기할까요?`,
  },
  revokeText: {
    en: 'Everything that uses it, or a token that it made, fails at once. This cannot be undone.',
    ko: '이 토큰과 이 토큰으로 만든 토큰을 쓰는 곳은 즉시 거부됩니다. 되돌릴 수 없으며, 필요하면 새 토큰을 만들어야 합니다.',
  },
  revoked: { en: 'Token revoked', ko: '토큰을 폐기했습니다' },
  notRevoked: { en: 'Could not revoke the token', ko: '토큰을 폐기하지 못했습니다' },
  none: { en: 'No tokens yet', ko: '아직 토큰이 없습니다' },
  noneText: {
    en: 'Programs, CI jobs and the command line need one. You can also create one on the server:',
    ko: '프로그램, CI, 명령줄에서 사용합니다. 서버가 있는 컴퓨터에서는 다음 명령으로도 만들 수 있습니다.',
  },
})
