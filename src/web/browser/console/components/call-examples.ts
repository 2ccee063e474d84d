/** Programs that ask a question over HTTP. @param server its address, as the browser reaches it */
export const callExamples = (server: string) => [
  {
    id: "curl",
    label: "curl",
    code: `curl ${server}/api/query \\
  -H "Authorization: Bearer $KEY" \\
  -d '{"query": "Which files can it read?"}'`,
  },
  {
    id: "javascript",
    label: "JavaScript",
    code: `const answer = await fetch("${server}/api/query", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.KEY}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify({ query: "Which files can it read?" }),
});
console.log((await answer.json()).answer);`,
  },
  {
    id: "python",
    label: "Python",
    code: `import json, os, urllib.request

request = urllib.request.Request(
    "${server}/api/query",
    data=json.dumps({"query": "Which files can it read?"}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["answer"])`,
  },
];
