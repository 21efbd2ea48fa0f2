import { defineMessages } from '../../language/messages.ts'
import type { Preset } from './scope-groups.ts'

const PRESETS_EN: Readonly<Record<Preset, string>> = {
  none: 'None',
  read: 'Read only',
  run: 'Run jobs and flows',
  deploy: 'Deploy (CI)',
  all: 'Everything',
}
const PRESETS_KO: Readonly<Record<Preset, string>> = {
  none: '없음',
  read: '읽기 전용',
  run: '작업·플로우 실행',
  deploy: '배포 (CI)',
  all: '전체 권한',
}

export const messages = defineMessages({
  title: { en: 'Tokens', ko: '토큰' },
  about: {
    en: 'Programs, CI and the command line show a token. It acts for its owner, within its scopes.',
    ko: '프로그램, CI, 명령줄은 토큰으로 인증합니다. 토큰은 소유자를 대신하며 정해진 범위 안에서만 동작합니다.',
  },
  issue: { en: 'New token', ko: '새 토큰' },
  name: { en: 'Name', ko: '이름' },
  nameHint: {
    en: 'What will use it: “GitHub Actions”, “laptop of Mina”.',
    ko: '어디에 쓰는지 적어 두세요. 예: “GitHub Actions”, “민아 노트북”',
  },
  state: { en: 'State', ko: '상태' },
  prefix: { en: 'Begins with', ko: '앞부분' },
  scopes: { en: 'Scopes', ko: '권한 범위' },
  owner: { en: 'Owner', ko: '소유자' },
  expires: { en: 'Expires', ko: '만료' },
  created: { en: 'Created', ko: '생성' },
  createdBy: { en: 'Created by', ko: '생성한 사람' },
  revokedAt: { en: 'Revoked', ko: '폐기' },
  everything: { en: 'everything', ko: '전체' },
  nothing: { en: 'nothing', ko: '없음' },
  asAdmin: { en: 'Acts as an admin of the workspace', ko: '워크스페이스 관리자로 동작' },
  adminHint: {
    en: 'Sees the input of everybody’s jobs, and may cancel them.',
    ko: '모든 사람의 작업 입력을 보고 작업을 취소할 수 있습니다.',
  },
  presets: { en: 'Usual choices', ko: '빠른 선택' },
  preset: {
    en: (preset: Preset) => PRESETS_EN[preset],
    ko: (preset: Preset) => PRESETS_KO[preset],
  },
  allNote: {
    en: 'This token may do all that you may do in this workspace. Choose single scopes where you can.',
    ko: '이 토큰은 이 워크스페이스에서 내 계정이 할 수 있는 모든 일을 할 수 있습니다. 가능하면 필요한 범위만 고르세요.',
  },
  create: { en: 'Create token', ko: '토큰 만들기' },
  notCreated: { en: 'The token was not created', ko: '토큰을 만들지 못했습니다' },
  created1: { en: 'The token', ko: '토큰' },
  use: {
    en: 'Try it: this asks who the token stands for.',
    ko: '바로 써 보세요. 토큰의 신원을 확인하는 명령입니다.',
  },
  noScopes: { en: 'Choose what it may do.', ko: '허용할 범위를 고르세요.' },
  revoke: { en: 'Revoke', ko: '폐기' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 토큰을 폐기할까요?`,
  },
  revokeText: {
    en: 'Whatever uses it is refused at once. This cannot be undone; make a new token instead.',
    ko: '이 토큰을 쓰는 곳은 즉시 거부됩니다. 되돌릴 수 없으며, 필요하면 새 토큰을 만들어야 합니다.',
  },
  revoked: { en: 'The token was revoked', ko: '토큰을 폐기했습니다' },
  notRevoked: { en: 'The token was not revoked', ko: '토큰을 폐기하지 못했습니다' },
  none: { en: 'No tokens yet', ko: '아직 토큰이 없습니다' },
  noneText: {
    en: 'A program, a CI job or the command line needs one. Whoever works on the server’s machine can also make one there:',
    ko: '프로그램, CI, 명령줄에서 사용합니다. 서버가 있는 컴퓨터에서는 다음 명령으로도 만들 수 있습니다.',
  },
})
