import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  current: { en: 'current', ko: '현재' },
  draft: { en: 'draft', ko: '초안' },
  by: { en: 'Deployed by', ko: '배포자' },
  none: { en: 'No deployments yet', ko: '아직 배포가 없습니다' },
  noneText: {
    en: 'This app has only functions. Each is deployed on its own and has no history here. To roll back, deploy the earlier code again.',
    ko: '함수만 있는 앱입니다. 함수는 각각 배포되며 여기에 기록이 남지 않습니다. 되돌리려면 이전 코드를 다시 배포하세요.',
  },
  changes: { en: 'Changes', ko: '변경 사항' },
  comparedWith: { en: 'Compared with', ko: '비교 대상' },
  first: {
    en: 'This is the oldest deployment, so there is nothing to compare it with.',
    ko: '가장 오래된 배포여서 비교할 대상이 없습니다.',
  },
  nothing: {
    en: 'No changes to actions, flows or code.',
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
  again: { en: 'redeployed', ko: '재배포' },
  redeploy: { en: 'Roll back to this deployment', ko: '이 배포로 되돌리기' },
  redeployTitle: { en: 'Roll back to this deployment?', ko: '이 배포로 되돌릴까요?' },
  redeployText: {
    en: (commit: string, at: string) =>
      `Code, manifest and functions of ${commit} (${at}) become current at once, as a new deployment. Queued and running jobs keep their version. Automatic git sync continues with the next commit.`,
    ko: (commit: string, at: string) =>
      `${commit}(${at})의 코드, 매니페스트, 함수가 새 배포로 바로 적용됩니다. 대기 중이거나 실행 중인 작업은 기존 버전을 그대로 사용합니다. Git 자동 동기화는 다음 커밋부터 다시 적용됩니다.`,
  },
  redeployNow: { en: 'Roll back', ko: '되돌리기' },
  redeployed: { en: 'Rolled back', ko: '이전 배포로 되돌렸습니다' },
  notRedeployed: { en: 'Could not roll back', ko: '되돌리지 못했습니다' },
})
