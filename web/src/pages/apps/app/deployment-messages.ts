import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  deployments: { en: 'Deployments', ko: '배포' },
  version: { en: 'Version', ko: '버전' },
  current: { en: 'current', ko: '현재' },
  source: { en: 'Source', ko: '소스' },
  git: { en: 'git', ko: 'git' },
  upload: { en: 'upload', ko: '업로드' },
  draft: { en: 'draft', ko: '초안' },
  message: { en: 'Message', ko: '메시지' },
  by: { en: 'By', ko: '배포자' },
  at: { en: 'When', ko: '시각' },
  none: { en: 'No deployments yet', ko: '아직 배포가 없습니다' },
  noneText: {
    en: 'This app has functions alone: each is deployed for itself, and has no history here. Rolling back is deploying earlier code again.',
    ko: '함수만 있는 앱입니다. 함수는 각각 배포되며 여기에 기록이 남지 않습니다. 되돌리려면 이전 코드를 다시 배포하세요.',
  },
  changes: { en: 'Changes', ko: '변경 사항' },
  comparedWith: { en: 'Compared with', ko: '비교 대상' },
  first: {
    en: 'This is the oldest deployment: there is nothing to compare it with.',
    ko: '가장 오래된 배포여서 비교할 대상이 없습니다.',
  },
  nothing: {
    en: 'Actions, flows and their code are the same.',
    ko: '액션과 플로우, 코드가 모두 같습니다.',
  },
  action: { en: 'action', ko: '액션' },
  flow: { en: 'flow', ko: '플로우' },
  added: { en: 'added', ko: '추가' },
  removed: { en: 'removed', ko: '삭제' },
  manifest: { en: 'manifest changed', ko: '매니페스트 변경' },
  code: { en: 'code changed', ko: '코드 변경' },
  both: { en: 'manifest and code changed', ko: '매니페스트와 코드 변경' },
  manifestDiff: { en: 'Manifest', ko: '매니페스트' },
  same: { en: (n: number) => `${n} equal lines`, ko: (n: number) => `동일한 ${n}줄` },
  close: { en: 'Close', ko: '닫기' },
  again: { en: 'again', ko: '재배포' },
  redeploy: { en: 'Deploy this one again', ko: '이 배포로 되돌리기' },
  redeployTitle: { en: 'Deploy this one again?', ko: '이 배포로 되돌릴까요?' },
  redeployText: {
    en: (commit: string, at: string) =>
      `Code, manifest and functions of ${commit} (${at}) become current at once, as a new deployment. Queued and running jobs keep the version that they began with. Automatic sync from git goes on with the next commit.`,
    ko: (commit: string, at: string) =>
      `${commit}(${at})의 코드, 매니페스트, 함수가 새 배포로 바로 적용됩니다. 대기 중이거나 실행 중인 작업은 기존 버전을 그대로 사용합니다. git 자동 동기화는 다음 커밋부터 다시 적용됩니다.`,
  },
  redeployNow: { en: 'Deploy again', ko: '되돌리기' },
  redeployed: { en: 'Deployed again', ko: '이전 배포로 되돌렸습니다' },
  notRedeployed: { en: 'It was not deployed again', ko: '되돌리지 못했습니다' },
})
