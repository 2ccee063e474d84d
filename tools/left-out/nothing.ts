/** In place of a package that the program never calls: see left-out.ts. LanceDB's optional client of OpenAI. */
export default null;
