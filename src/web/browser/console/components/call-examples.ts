/** Programs that ask a question over HTTP. @param origin of this server, as the browser reaches it */
export const callExamples = (origin: string) => [
  {
    id: "curl",
    label: "curl",
    code: `curl ${origin}/api/query \\
  -H "Authorization: Bearer $KEY" \\
  -d '{"query": "Which files can it read?"}'`,
  },
  {
    id: "javascript",
    label: "JavaScript",
    code: `const answer = await fetch("${origin}/api/query", {
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
    "${origin}/api/query",
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
