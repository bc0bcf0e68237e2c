//! Strongly connected groups of a directed graph.

/// The groups of more than one node, each sorted, in order of their first node.
///
/// A group holds the nodes that reach each other. The graph has at most a few hundred nodes, so
/// reachability is computed from every node.
pub(crate) fn circles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = (0..edges.len()).map(|node| reach(edges, node)).collect();
    let mut grouped = vec![false; edges.len()];
    let mut groups = Vec::new();
    for node in 0..edges.len() {
        if grouped[node] {
            continue;
        }
        let group: Vec<usize> = (node..edges.len())
            .filter(|&other| other == node || (reached[node][other] && reached[other][node]))
            .collect();
        for &member in &group {
            grouped[member] = true;
        }
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

/// The nodes that a path of at least one edge leads to.
fn reach(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in &edges[node] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

#[test]
fn a_chain_has_no_circle() {
    assert!(circles(&[vec![1, 2], vec![2], vec![]]).is_empty());
}

#[test]
fn groups_are_found_apart() {
    let edges = [vec![1], vec![0, 2], vec![3], vec![4], vec![2], vec![0]];
    assert_eq!(circles(&edges), [vec![0, 1], vec![2, 3, 4]]);
}
